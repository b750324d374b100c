/** Checks the platform that commands would use: that it responds, accepts the key, and has the same time. */
import { ToolkitError } from '../../contract/errors.ts';
import { API_VERSION, type PlatformIdentity } from '../../contract/stateManager.ts';
import { platformUrl, resolveKey } from '../../deploy/credentials.ts';
import { findPlatform } from '../../deploy/embeddedPlatform.ts';
import { PlatformClient } from '../../deploy/platformClient.ts';
import { formatSeconds } from '../format.ts';
import { type Check, type Finding, fine, type Surroundings, wrong } from './check.ts';

const ANSWER_MS = 3_000;
/** In milliseconds. With clocks further apart, signed upload URLs fail and times in logs mislead. */
const SKEW_MS = 60_000;

export const platform: Check = async (surroundings) => {
  const target = await findTarget(surroundings);
  if (target === null) return fine('platform', 'embedded, not running; "toolkit deploy" starts it');
  const answer = await ask(target, surroundings.signal);
  if (!answer)
    return wrong('platform', `${target.url} does not respond`, 'Check PLATFORM_API_URL and your network.');
  const { apiVersion, version } = answer.identity;
  if (apiVersion === undefined)
    return wrong(
      'platform',
      `${target.url} is not a platform`,
      'Set PLATFORM_API_URL to the address of a platform.',
    );
  if (apiVersion > API_VERSION)
    return wrong('platform', `${target.url} (${version}) is newer than this toolkit`, 'Update the toolkit.');
  return fine('platform', `${target.embedded ? 'embedded, ' : ''}version ${version}, at ${target.url}`);
};

export const key: Check = async (surroundings) => {
  const { settings, signal } = surroundings;
  const target = await findTarget(surroundings);
  if (target === null) return fine('key', 'the embedded platform creates its own when it starts');
  try {
    const found = resolveKey(settings, target.url);
    const client = new PlatformClient(target.url, found, target.embedded);
    const { name, scope } = await client.account(AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
    return fine('key', `${found.source}: ${scope} key of ${name}`);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ToolkitError)
      return wrong('key', error.message, error.hint ?? 'Check PLATFORM_API_KEY.');
    return wrong('key', `${target.url} did not respond in time`, 'Check PLATFORM_API_URL and your network.');
  }
};

export const clock: Check = async (surroundings) => {
  const now = new Date().toISOString();
  const target = await findTarget(surroundings);
  const answer = target && (await ask(target, surroundings.signal));
  const theirs = answer ? Date.parse(answer.date ?? '') : Number.NaN;
  if (Number.isNaN(theirs)) return fine('clock', `${now}; no platform to compare with`);
  const skew = Math.abs(Date.now() - theirs);
  return skew <= SKEW_MS
    ? fine('clock', `${now}, same as the platform's`)
    : wrong(
        'clock',
        `differs from the platform's clock by ${formatSeconds(skew / 1_000)}`,
        'Correct the clock of this machine, or of the platform.',
      );
};

interface Target {
  url: string;
  embedded: boolean;
}

async function findTarget({ settings }: Surroundings): Promise<Target | null> {
  const url = platformUrl(settings);
  if (url !== null) return { url, embedded: false };
  const record = await findPlatform(settings.toolkitHome);
  return record && { url: record.url, embedded: true };
}

async function ask(
  { url }: Target,
  signal: AbortSignal,
): Promise<{ identity: Partial<PlatformIdentity>; date: string | null } | null> {
  try {
    const response = await fetch(`${url}/`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    const date = response.headers.get('date');
    const identity = (await response.json().catch(() => ({}))) as Partial<PlatformIdentity>;
    return { identity, date };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** The finding for a malformed address; null if the address is valid. */
export function addressFinding({ settings }: Surroundings): Finding | null {
  try {
    platformUrl(settings);
    return null;
  } catch (error) {
    if (!(error instanceof ToolkitError)) throw error;
    return wrong('platform', error.message, error.hint ?? 'Unset PLATFORM_API_URL.');
  }
}
