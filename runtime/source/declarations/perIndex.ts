/** Caches results that depend only on an index: computed on demand, and kept as long as the index exists. */
import type { ProjectIndex } from './ProjectIndex.ts';

/** @param find - The result must depend only on the index. */
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
