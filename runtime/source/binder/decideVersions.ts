/** The facts of a file for one Python version: workers do not run code for other versions. */
import type { FileFacts } from './FileFacts.ts';
import { mapReach } from './mapReach.ts';
import { guardForVersion } from './reach.ts';

const decided = new WeakMap<FileFacts, Map<string, FileFacts>>();

/**
 * Decides conditions on `sys.version_info`. Equal arguments give the same object.
 *
 * @param python - A version such as `3.12`; null if the workers' version is unknown.
 */
export function decideVersions(facts: FileFacts, python: string | null): FileFacts {
  if (python === null || !facts.dependsOnVersion) return facts;
  const known = decided.get(facts)?.get(python);
  if (known) return known;
  const minor = Number(python.split('.')[1]);
  // A module-level name can also be called `guard`.
  const forVersion = mapReach(facts, (part) =>
    typeof part.guard === 'string' ? { ...part, guard: guardForVersion(part.guard, minor) } : part,
  );
  decided.set(facts, (decided.get(facts) ?? new Map()).set(python, forVersion));
  return forVersion;
}
