/** What follows from an index alone: found when it is first asked for, and kept for as long as the index is. */
import type { ProjectIndex } from './ProjectIndex.ts';

/** @param find - Its result must depend on nothing else. */
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
