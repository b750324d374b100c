/** Limits the size of a log. A full log becomes the older log, and only one older log is kept. */
import { copyFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { PLATFORM_LIMITS } from '../contract/limits.ts';

/**
 * Turns a full log into `<file>.1`, replacing the previous one. The log is copied and truncated, not renamed,
 * because processes also write their standard error to it and keep the file open.
 *
 * @param more Bytes that are about to be appended.
 */
export function rotateLog(file: string, more = 0): void {
  const { size } = statSync(file);
  if (size === 0 || size + more <= PLATFORM_LIMITS.logBytes) return;
  const older = `${file}.1`;
  try {
    // Frees the space for the copy.
    rmSync(older, { force: true });
    copyFileSync(file, older);
  } finally {
    truncateSync(file);
  }
}
