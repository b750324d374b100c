/** The facts of a file for one version of Python: no worker runs what is for other versions. */
import type { FileFacts } from './FileFacts.ts';
import { type Guard, guardForVersion } from './reach.ts';

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
  const forVersion = withGuards(facts, (guard) => guardForVersion(guard, minor));
  decided.set(facts, (decided.get(facts) ?? new Map()).set(python, forVersion));
  return forVersion;
}

/** Facts are plain data in which `guard` always means the same. */
function withGuards<Data>(data: Data, decide: (guard: Guard | null) => Guard | null): Data {
  return JSON.parse(JSON.stringify(data), (key, value) => (key === 'guard' ? decide(value) : value));
}
