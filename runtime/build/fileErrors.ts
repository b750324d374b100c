/** Errors of the file system → the sentences a user can act on. */
import { ToolkitError } from '../contract/errors.ts';

/** The system's code of an error (`ENOENT`), or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/**
 * Names a failed write: a full disk, a folder that takes none, a file where a folder must be. Anything else comes back as it is.
 *
 * @param place What was being written.
 */
export function asWriteError(error: unknown, place: string): unknown {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new ToolkitError('DISK_FULL', `The disk is full while writing ${place}.`, {
        hint: 'Free some space, for example the cache folder in TOOLKIT_HOME, and build again.',
        cause: error,
      });
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR': {
      const { path: found = place } = error as NodeJS.ErrnoException;
      return new ToolkitError('NOT_WRITABLE', `${place} cannot be written: ${found} is in the way.`, {
        hint: 'Move it away, or choose another place.',
        cause: error,
      });
    }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ToolkitError('NOT_WRITABLE', `${place} cannot be written.`, {
        hint: 'Change the permissions of the folder, or work in a copy of the project.',
        cause: error,
      });
    default:
      return error;
  }
}
