/** What a resolution depends on → a hash in the lock, so that the lock is renewed when any of it changes. */
import { hash } from 'node:crypto';
import { expandVariables } from '../../source/environment/expandVariables.ts';
import { redact } from '../../source/environment/redact.ts';
import { withoutRoot } from './portableLock.ts';
import type { RequirementSet } from './requirements.ts';
import { TARGET_PLATFORM } from './uvCompile.ts';

/** The project, and what its requirements are resolved for. */
export interface LockTarget {
  root: string;
  /** Minor version that the wheels are for. */
  python: string;
  /** Requirements can contain variables. */
  env: NodeJS.ProcessEnv;
}

/** Increase this to make unchanged projects resolve again. */
const FORMAT = 1;

/**
 * Hashes everything that the resolution depends on. Credentials are removed, so that a new token does not resolve again. Inputs
 * that few projects have are left out where they are missing, so that the locks of other projects stay valid.
 */
export function hashInputs(set: RequirementSet, { root, python, env }: LockTarget): string {
  const requirements = set.requirements.map(({ text }) => redact(text));
  const { packages, indexes } = set.sources ?? {};
  const sources = set.sources ? [redact(JSON.stringify([packages, indexes]))] : [];
  const options = set.options.map((one) => withoutRoot(redact(one), root));
  const inputs = [FORMAT, TARGET_PLATFORM, python, requirements, set.constraints, options, ...sources];
  const settings = otherSettings(set);
  if (Object.keys(settings).length > 0) inputs.push(redact(JSON.stringify({ settings })));
  const expanded = [...requirements, ...set.constraints, ...options].flatMap((text) => {
    const full = expandVariables(text, env);
    return full === text ? [] : [withoutRoot(redact(full), root)];
  });
  const onlyBinary = set.onlyBinary.flatMap(({ names }) => names);
  if (onlyBinary.length > 0) inputs.push(JSON.stringify({ onlyBinary }));
  if (set.projectLock)
    inputs.push(JSON.stringify({ projectLock: Object.entries(set.projectLock.versions).toSorted() }));
  if (expanded.length > 0) inputs.push(JSON.stringify({ expanded }));
  return hash('sha256', JSON.stringify(inputs));
}

/** uv's settings without the indexes, if these are among the sources. */
function otherSettings({ sources, uvSettings }: RequirementSet): Record<string, unknown> {
  if (!sources) return uvSettings;
  const { index: _hashed, ...rest } = uvSettings;
  return rest;
}
