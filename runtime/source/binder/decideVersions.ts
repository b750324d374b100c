/** The facts of a file as they are for one version of Python: what is for others no worker runs. */
import type { FileFacts } from './FileFacts.ts';
import { type Guard, guardForVersion } from './reach.ts';

const decided = new WeakMap<FileFacts, Map<string, FileFacts>>();

/**
 * Facts in which `sys.version_info` decides; the same facts for the same ones.
 *
 * @param python - Such as `3.12`; null while nobody has said which version workers have.
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

/** Facts are plain data in which `guard` means the same wherever it is. */
function withGuards<Data>(data: Data, decide: (guard: Guard | null) => Guard | null): Data {
  return JSON.parse(JSON.stringify(data), (key, value) => (key === 'guard' ? decide(value) : value));
}
