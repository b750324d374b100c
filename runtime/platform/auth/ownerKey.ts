/**
 * The owner key of the embedded platform. It is created at the first start and written only to the
 * credentials file, mode 0600.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Credentials, HOME_FILES } from '../../contract/stateManager.ts';
import { writeFileAtomic } from '../writeFileAtomic.ts';
import type { Keys } from './keys.ts';

/**
 * Ensures that the credentials file contains a working owner key for this address. When the platform's
 * address has changed, the entry of the former address is moved.
 *
 * @param formerUrl The platform's previous address; null at the first start.
 */
export async function ensureOwnerKey(
  home: string,
  url: string,
  formerUrl: string | null,
  keys: Keys,
): Promise<void> {
  const file = path.join(home, HOME_FILES.credentials);
  const credentials = await readCredentials(file);
  const isOwner = (entry: { key: string } | undefined) =>
    !!entry && keys.verify(entry.key)?.scope === 'owner';
  if (isOwner(credentials[url])) return;
  const former = formerUrl === null ? undefined : credentials[formerUrl];
  if (formerUrl !== null && former && isOwner(former)) {
    delete credentials[formerUrl];
    credentials[url] = former;
  } else {
    credentials[url] = { key: (await keys.create('owner', 'owner', null)).key };
  }
  await writeFileAtomic(file, `${JSON.stringify(credentials, null, 2)}\n`);
}

/** Entries of other platforms are kept. A file that is not a JSON object is replaced. */
async function readCredentials(file: string): Promise<Credentials> {
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Credentials) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
