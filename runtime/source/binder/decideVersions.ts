/** The facts of a file for one version of Python: no worker runs what is for other versions. */
import type { FileFacts } from './FileFacts.ts';
import { mapReach } from './mapReach.ts';
import { guardForVersion } from './reach.ts';

const decided = new WeakMap<FileFacts, Map<string, FileFacts>>();

/**
 * Facts in which conditions on `sys.version_info` are decided; equal arguments give the same object.
 *
 * @param python - Such as `3.12`; null if the version of the workers is unknown.
 */
export function decideVersions(facts: FileFacts, python: string | null): FileFacts {
  if (python === null || !facts.dependsOnVersion) return facts;
  const known = decided.get(facts)?.get(python);
  if (known) return known;
  const minor = Number(python.split('.')[1]);
  // A name of the module may be called `guard` too.
  const forVersion = mapReach(facts, (part) =>
    typeof part.guard === 'string' ? { ...part, guard: guardForVersion(part.guard, minor) } : part,
  );
  decided.set(facts, (decided.get(facts) ?? new Map()).set(python, forVersion));
  return forVersion;
}
