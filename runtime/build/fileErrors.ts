/** Errors of the file system → the sentences a user can act on. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../contract/errors.ts';

/** The system's code of an error (`ENOENT`), or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Names a full or read-only disk wherever it was met; anything else comes back as it is. */
export function asDiskError(error: unknown): unknown {
  if (!['ENOSPC', 'EDQUOT', 'EROFS'].includes(systemCode(error) ?? '')) return error;
  const { path: place = 'a file of the build' } = error as NodeJS.ErrnoException;
  return asWriteError(error, place);
}

/** Makes a folder and those above it. Throws the system's own error: Node's says ENOENT of a read-only disk. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    await makeFolder(path.dirname(folder));
    await mkdir(folder);
  }
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
        hint: 'Free some space on that disk and build again; the cache folder in TOOLKIT_HOME may be deleted at any time.',
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
        hint: 'Change the permissions of the folder, work in a copy of the project, or set TOOLKIT_HOME to a folder that you may write.',
        cause: error,
      });
    default:
      return error;
  }
}
