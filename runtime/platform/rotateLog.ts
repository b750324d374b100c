/** Keeps a log within its bound, which is appended to: what is over the bound becomes the older log, the only one. */
import { copyFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { PLATFORM_LIMITS } from '../contract/limits.ts';

/**
 * Makes a full log the older one, `<file>.1`, in place of the last. It is copied and emptied, not renamed: standard error
 * of processes goes to it as well, and they keep the file that they have.
 *
 * @param more Bytes that are about to be appended.
 */
export function rotateLog(file: string, more = 0): void {
  const { size } = statSync(file);
  if (size === 0 || size + more <= PLATFORM_LIMITS.logBytes) return;
  const older = `${file}.1`;
  try {
    // Its space is the copy's.
    rmSync(older, { force: true });
    copyFileSync(file, older);
  } finally {
    truncateSync(file);
  }
}
