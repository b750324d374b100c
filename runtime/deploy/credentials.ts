/** Which platform a command speaks to, and with which key. A key goes only to the platform it was given for. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../contract/errors.ts';
import { type Credentials, HOME_FILES } from '../contract/stateManager.ts';
import type { Settings } from './settings.ts';

/** A platform's key and where it came from, for messages; the key itself never enters one. */
export interface Key {
  value: string;
  source:
    | 'the environment variable PLATFORM_API_KEY'
    | "PLATFORM_API_KEY in the project's .env"
    | 'the credentials file';
}

/** The address in PLATFORM_API_URL, without a trailing slash; null means the embedded platform. */
export function platformUrl(settings: Settings): string | null {
  const url = settings.variables['PLATFORM_API_URL'];
  if (!url) return null;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ToolkitError('PROJECT_CONFIG', `PLATFORM_API_URL is "${url}", which is no http address.`, {
      hint: 'Write it as https://host, or unset it to use the embedded platform.',
    });
  }
  return url.replace(/\/+$/, '');
}

/**
 * The key for a platform: environment > `.env` > credentials file.
 *
 * @param url The platform's address.
 * @throws ToolkitError KEY_MISSING, or KEY_WITHHELD when a project's `.env` names a platform but not its key.
 */
export function resolveKey(settings: Settings, url: string): Key {
  const urlFromDotenv = !settings.environment['PLATFORM_API_URL'] && settings.dotenv['PLATFORM_API_URL'];
  const fromEnvironment = usable(settings.environment['PLATFORM_API_KEY']);
  const fromDotenv = usable(settings.dotenv['PLATFORM_API_KEY']);
  if (urlFromDotenv) {
    // A cloned project may name any address: only a key that stands beside it is meant for it.
    if (fromDotenv) return { value: fromDotenv, source: "PLATFORM_API_KEY in the project's .env" };
    throw new ToolkitError(
      'KEY_WITHHELD',
      `The project's .env sets PLATFORM_API_URL to ${url} but no PLATFORM_API_KEY, so your own key was not sent there.`,
      {
        hint: 'If you trust that address, set PLATFORM_API_URL in your environment, or put its key into the same .env.',
      },
    );
  }
  if (fromEnvironment) return { value: fromEnvironment, source: 'the environment variable PLATFORM_API_KEY' };
  if (fromDotenv) return { value: fromDotenv, source: "PLATFORM_API_KEY in the project's .env" };
  const stored = readCredentials(settings.toolkitHome)[url]?.key;
  if (stored) return { value: stored, source: 'the credentials file' };
  throw new ToolkitError('KEY_MISSING', `There is no key for the platform at ${url}.`, {
    hint: 'Set PLATFORM_API_KEY in the environment or in .env.',
  });
}

/** An empty value or the placeholder of .env.example counts as not set. */
function usable(key: string | undefined): string | null {
  const trimmed = key?.trim();
  return trimmed && !/^<.*>$/.test(trimmed) ? trimmed : null;
}

/** TOOLKIT_HOME/credentials.json; missing means none. */
export function readCredentials(home: string): Credentials {
  const file = path.join(home, HOME_FILES.credentials);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ToolkitError('PROJECT_CONFIG', `${file} cannot be read.`, {
      hint: 'Remove it and start the platform again, which writes it anew.',
      cause: error,
    });
  }
}

/** The repair for a key that the platform refused. */
export function keyRejected(url: string, key: Key, embedded: boolean): ToolkitError {
  const hint =
    embedded && key.source !== 'the credentials file'
      ? 'It is not a key of the embedded platform: unset it, or set PLATFORM_API_URL to the platform it belongs to.'
      : embedded
        ? 'Run "toolkit platform stop" and "toolkit platform start", then try again.'
        : 'Check PLATFORM_API_KEY.';
  return new ToolkitError('KEY_REJECTED', `The platform at ${url} refused the key from ${key.source}.`, {
    hint,
  });
}
