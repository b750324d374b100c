/** TOOLKIT_HOME/credentials.json: one key per platform address, readable only by its owner. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../contract/errors.ts';
import { type Credentials, HOME_FILES } from '../contract/stateManager.ts';

/** Every stored key; empty if the file is missing. */
export function readCredentials(home: string): Credentials {
  const file = path.join(home, HOME_FILES.credentials);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ToolkitError('PROJECT_CONFIG', `${file} cannot be read as JSON.`, {
      hint: 'Delete it. "toolkit platform start" and "toolkit login" create it again.',
      cause: error,
    });
  }
}

/**
 * Stores a platform's key, or deletes it if `key` is null. The file is replaced atomically.
 *
 * @param url The platform's address, without a trailing slash.
 * @returns Whether a key for that address was stored before.
 */
export function storeKey(home: string, url: string, key: string | null): boolean {
  const credentials = readCredentials(home);
  const had = Object.hasOwn(credentials, url);
  if (key === null && !had) return false;
  if (key === null) delete credentials[url];
  else credentials[url] = { key };
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = path.join(home, HOME_FILES.credentials);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  // A draft left by a crash would keep its old mode.
  chmodSync(draft, 0o600);
  renameSync(draft, file);
  return had;
}
