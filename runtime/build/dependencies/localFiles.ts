/** Compares locked files on this machine with their contents now: a wheel can be rebuilt under the same version. */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { systemCode } from '../fileErrors.ts';
import { sha256Of } from './downloadFile.ts';
import type { LockedPackage } from './lock.ts';

/** Path → the last hash, and when the file had it. A session of `toolkit dev` builds many times. */
const known = new Map<string, { state: string; sha256: string }>();

/** Whether all files have their locked contents. A missing file can still be in the cache, so it does not count. */
export async function areUnchanged(
  packages: readonly LockedPackage[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const { url, sha256 } of packages) {
    if (!url.startsWith('file:')) continue;
    const now = await hashOf(fileURLToPath(url), signal);
    if (now !== null && now !== sha256) return false;
  }
  return true;
}

/** null if the file is missing. */
async function hashOf(file: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await stat(file);
    const state = JSON.stringify([size, mtimeMs, ctimeMs, ino]);
    const last = known.get(file);
    if (last?.state === state) return last.sha256;
    const sha256 = await sha256Of(file, signal);
    known.set(file, { state, sha256 });
    return sha256;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
