/**
 * Writes small files of TOOLKIT_HOME. Readers see the old or the new text, and only this user can read them.
 */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** Writes a file with mode 0600 next to the target, then renames it to the target. */
export async function writeFileAtomic(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}`;
  try {
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
