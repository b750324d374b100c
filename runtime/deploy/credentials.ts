/** Selects the platform and key of a command. A key is only sent to the platform that it belongs to. */
import { ToolkitError } from '../contract/errors.ts';
import { isKey } from '../contract/keys.ts';
import { readCredentials } from './credentialsFile.ts';
import type { Settings } from './settings.ts';

/** A platform's key and its source. Messages name the source, never the key. */
export interface Key {
  value: string;
  source:
    | 'the environment variable PLATFORM_API_KEY'
    | "PLATFORM_API_KEY in the project's .env"
    | "the editor's secret storage"
    | 'the credentials file'
    | 'your input';
}

/** The address in PLATFORM_API_URL without a trailing slash; null for the embedded platform. */
export function platformUrl(settings: Settings): string | null {
  const url = settings.variables['PLATFORM_API_URL']?.trim();
  if (!url) return null;
  if (URL.canParse(url) && (new URL(url).username || new URL(url).password)) {
    throw new ToolkitError('PROJECT_CONFIG', 'PLATFORM_API_URL contains a user name or password.', {
      hint: 'Write it as https://HOST, and put the key into PLATFORM_API_KEY.',
    });
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ToolkitError('PROJECT_CONFIG', `PLATFORM_API_URL is "${url}", which is not an HTTP URL.`, {
      hint: 'Write it as https://HOST, or unset it to use the embedded platform.',
    });
  }
  return url.replace(/\/+$/, '');
}

/**
 * The key for a platform, from the first source that has one: environment, `.env`, the editor's secret storage,
 * credentials file.
 *
 * @param url The platform's address.
 * @param embedded Whether it is the embedded platform of this TOOLKIT_HOME, which stores its own key when it starts.
 * @throws ToolkitError KEY_MISSING, KEY_REJECTED for a malformed key, or KEY_WITHHELD if a project's `.env` sets a
 *   platform but not its key.
 */
export function resolveKey(settings: Settings, url: string, { embedded = false } = {}): Key {
  const urlFromDotenv = !settings.environment['PLATFORM_API_URL'] && settings.dotenv['PLATFORM_API_URL'];
  const fromEnvironment = usable(settings.environment['PLATFORM_API_KEY']);
  const fromDotenv = usable(settings.dotenv['PLATFORM_API_KEY']);
  if (urlFromDotenv) {
    // A cloned project can set any address, so only a key from the same file is sent there.
    if (fromDotenv) return keyFrom(fromDotenv, "PLATFORM_API_KEY in the project's .env");
    throw new ToolkitError(
      'KEY_WITHHELD',
      `The project's .env sets PLATFORM_API_URL to ${url} but no PLATFORM_API_KEY, so your own key was not sent there.`,
      {
        hint: 'If you trust that address, set PLATFORM_API_URL in your environment, or put the key into the same .env.',
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
      ? OWN_KEY_HINT
      : 'Set PLATFORM_API_KEY in the environment or in .env, or run "toolkit login".',
  });
}

function keyFrom(value: string, source: Key['source']): Key {
  if (isKey(value)) return { value, source };
  throw new ToolkitError(
    'KEY_REJECTED',
    `The value of ${source} is not a key: it contains a space, a line break or a character that is not ASCII.`,
    { hint: HINTS[source] },
  );
}

/** Why a key that seems to be set does not count; empty if none is set. */
function unusable({ environment, dotenv }: Settings): string {
  const places = [
    ['PLATFORM_API_KEY in the environment', environment['PLATFORM_API_KEY']],
    ["PLATFORM_API_KEY in the project's .env", dotenv['PLATFORM_API_KEY']],
  ] as const;
  const found = places.find(([, value]) => value !== undefined);
  if (!found) return '';
  return `: ${found[0]} is ${found[1]?.trim() ? `still the placeholder ${found[1]}` : 'empty'}`;
}

/** An empty value, or the placeholder from .env.example, counts as not set. */
function usable(key: string | undefined): string | null {
  const trimmed = key?.trim();
  return trimmed && !/^<.*>$/.test(trimmed) ? trimmed : null;
}

/** The error for a key that the platform rejected, with a hint for its source. */
export function keyRejected(url: string, key: Key, embedded: boolean): ToolkitError {
  return new ToolkitError('KEY_REJECTED', `The platform at ${url} rejected the key from ${key.source}.`, {
    hint: embedded ? embeddedHint(key) : HINTS[key.source],
  });
}

/** The embedded platform creates its missing key whenever it starts. */
export const OWN_KEY_HINT = 'Run "toolkit platform stop" and "toolkit platform start", then try again.';

const HINTS: Record<Key['source'], string> = {
  'the environment variable PLATFORM_API_KEY': 'Check PLATFORM_API_KEY.',
  "PLATFORM_API_KEY in the project's .env": 'Check PLATFORM_API_KEY.',
  "the editor's secret storage": 'Sign in again.',
  'the credentials file': 'Store a new one with "toolkit login".',
  'your input': 'Check that it is a key of this platform; nothing was stored.',
};

function embeddedHint(key: Key): string {
  if (key.source === 'the credentials file') return OWN_KEY_HINT;
  return /PLATFORM_API_KEY/.test(key.source)
    ? 'It is not a key of the embedded platform. Unset PLATFORM_API_KEY, or set PLATFORM_API_URL to the platform that the key belongs to.'
    : 'It is not a key of the embedded platform. Set PLATFORM_API_URL to the platform that the key belongs to.';
}
