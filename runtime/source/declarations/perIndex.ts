/** What depends on an index alone: computed on demand, and kept for as long as the index. */
import type { ProjectIndex } from './ProjectIndex.ts';

/** @param find - Its result must depend on nothing but the index. */
export function perIndex<Result extends object | number>(
  find: (index: ProjectIndex) => Result,
): (index: ProjectIndex) => Result {
  const known = new WeakMap<ProjectIndex, Result>();
  return (index) => {
    const found = known.get(index) ?? find(index);
    known.set(index, found);
    return found;
  };
}
