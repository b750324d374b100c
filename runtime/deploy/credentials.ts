/** Which platform a command speaks to, and with which key. A key goes only to the platform it was given for. */
import { ToolkitError } from '../contract/errors.ts';
import { isKey } from '../contract/keys.ts';
import { readCredentials } from './credentialsFile.ts';
import type { Settings } from './settings.ts';

/** A platform's key and where it came from, for messages; the key itself never enters one. */
export interface Key {
  value: string;
  source:
    | 'the environment variable PLATFORM_API_KEY'
    | "PLATFORM_API_KEY in the project's .env"
    | "the editor's secret storage"
    | 'the credentials file'
    | 'your input';
}

/** The address in PLATFORM_API_URL, without a trailing slash; null means the embedded platform. */
export function platformUrl(settings: Settings): string | null {
  const url = settings.variables['PLATFORM_API_URL']?.trim();
  if (!url) return null;
  if (URL.canParse(url) && (new URL(url).username || new URL(url).password)) {
    throw new ToolkitError('PROJECT_CONFIG', 'PLATFORM_API_URL has a user name or password in it.', {
      hint: 'Write it as https://host, and give the key in PLATFORM_API_KEY.',
    });
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ToolkitError('PROJECT_CONFIG', `PLATFORM_API_URL is "${url}", which is not an http address.`, {
      hint: 'Write it as https://host, or unset it to use the embedded platform.',
    });
  }
  return url.replace(/\/+$/, '');
}

/**
 * The key for a platform: environment > `.env` > the editor's secret > credentials file.
 *
 * @param url The platform's address.
 * @param embedded Whether it is this home's own platform, which writes its key itself when it starts.
 * @throws ToolkitError KEY_MISSING, or KEY_WITHHELD when a project's `.env` names a platform but not its key.
 */
export function resolveKey(settings: Settings, url: string, { embedded = false } = {}): Key {
  const urlFromDotenv = !settings.environment['PLATFORM_API_URL'] && settings.dotenv['PLATFORM_API_URL'];
  const fromEnvironment = usable(settings.environment['PLATFORM_API_KEY']);
  const fromDotenv = usable(settings.dotenv['PLATFORM_API_KEY']);
  if (urlFromDotenv) {
    // A cloned project may name any address: only a key that stands beside it is meant for it.
    if (fromDotenv) return keyFrom(fromDotenv, "PLATFORM_API_KEY in the project's .env");
    throw new ToolkitError(
      'KEY_WITHHELD',
      `The project's .env sets PLATFORM_API_URL to ${url} but no PLATFORM_API_KEY, so your own key was not sent there.`,
      {
        hint: 'If you trust that address, set PLATFORM_API_URL in your environment, or put its key into the same .env.',
      },
    );
  }
  if (fromEnvironment) return keyFrom(fromEnvironment, 'the environment variable PLATFORM_API_KEY');
  if (fromDotenv) return keyFrom(fromDotenv, "PLATFORM_API_KEY in the project's .env");
  const ofEditor = settings.editorKeys[url];
  if (ofEditor) return keyFrom(ofEditor, "the editor's secret storage");
  const stored = readCredentials(settings.toolkitHome)[url]?.key;
  if (stored) return keyFrom(stored, 'the credentials file');
  throw new ToolkitError('KEY_MISSING', `There is no key for the platform at ${url}${unusable(settings)}.`, {
    hint: embedded
      ? OWN_KEY_REPAIR
      : 'Set PLATFORM_API_KEY in the environment or in .env, or run "toolkit login".',
  });
}

function keyFrom(value: string, source: Key['source']): Key {
  if (isKey(value)) return { value, source };
  throw new ToolkitError(
    'KEY_REJECTED',
    `What ${source} holds is not a key: a key has no spaces, line ends or letters outside of ASCII.`,
    { hint: REPAIRS[source] },
  );
}

/** Why a key that seems to be set is none; empty when none is. */
function unusable({ environment, dotenv }: Settings): string {
  const places = [
    ['PLATFORM_API_KEY in the environment', environment['PLATFORM_API_KEY']],
    ["PLATFORM_API_KEY in the project's .env", dotenv['PLATFORM_API_KEY']],
  ] as const;
  const found = places.find(([, value]) => value !== undefined);
  if (!found) return '';
  return `: ${found[0]} is ${found[1]?.trim() ? `still the placeholder ${found[1]}` : 'empty'}`;
}

/** An empty value or the placeholder of .env.example counts as not set. */
function usable(key: string | undefined): string | null {
  const trimmed = key?.trim();
  return trimmed && !/^<.*>$/.test(trimmed) ? trimmed : null;
}

/** The repair for a key that the platform refused. */
export function keyRejected(url: string, key: Key, embedded: boolean): ToolkitError {
  return new ToolkitError('KEY_REJECTED', `The platform at ${url} refused the key from ${key.source}.`, {
    hint: embedded ? embeddedHint(key) : REPAIRS[key.source],
  });
}

/** The embedded platform sees to its own key whenever it starts. */
export const OWN_KEY_REPAIR = 'Run "toolkit platform stop" and "toolkit platform start", then try again.';

const REPAIRS: Record<Key['source'], string> = {
  'the environment variable PLATFORM_API_KEY': 'Check PLATFORM_API_KEY.',
  "PLATFORM_API_KEY in the project's .env": 'Check PLATFORM_API_KEY.',
  "the editor's secret storage": 'Sign in again.',
  'the credentials file': 'Store a new one with "toolkit login".',
  'your input': 'Check that it is a key of this platform; nothing was stored.',
};

function embeddedHint(key: Key): string {
  return key.source === 'the credentials file'
    ? OWN_KEY_REPAIR
    : 'It is not a key of the embedded platform: unset it, or set PLATFORM_API_URL to the platform it belongs to.';
}
