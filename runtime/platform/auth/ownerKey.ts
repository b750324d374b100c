/** The owner's key of the embedded platform: made at the first start, written only to the 0600 credentials file. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Credentials, HOME_FILES } from '../../contract/stateManager.ts';
import { writeFileAtomic } from '../writeFileAtomic.ts';
import type { Keys } from './keys.ts';

/**
 * Sees to it that the credentials file holds a working owner key for this address. When the platform's address
 * changed, the entry of the former one moves along.
 *
 * @param formerUrl Where the platform answered last; null at the first start.
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

/** Another's entries are kept as they are; a file that is no JSON object is set aside by writing a new one. */
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
