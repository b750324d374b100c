/** Errors of the file system → messages that a user can act on. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../contract/errors.ts';

/** The system's code of an error (`ENOENT`), or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Converts the error of a full or read-only disk; returns any other error unchanged. */
export function asDiskError(error: unknown): unknown {
  if (!['ENOSPC', 'EDQUOT', 'EROFS'].includes(systemCode(error) ?? '')) return error;
  const { path: place = 'A file of the build' } = error as NodeJS.ErrnoException;
  return asWriteError(error, place);
}

/** Creates a folder and its parents. On a read-only disk Node's recursive mkdir fails with ENOENT; this throws the real error. */
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
 * Converts the error of a failed write: a full disk, missing permissions, a file where a folder must be. Returns any other
 * error unchanged.
 *
 * @param place The file or folder that was being written.
 */
export function asWriteError(error: unknown, place: string): unknown {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new ToolkitError('DISK_FULL', `${place} cannot be written: the disk is full.`, {
        hint: 'Free some space and build again. You can delete the cache folder in TOOLKIT_HOME at any time.',
        cause: error,
      });
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR': {
      const { path: found = place } = error as NodeJS.ErrnoException;
      return new ToolkitError('NOT_WRITABLE', `${place} cannot be written: ${found} is in the way.`, {
        hint: 'Move it elsewhere, or choose another path.',
        cause: error,
      });
    }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ToolkitError('NOT_WRITABLE', `${place} cannot be written.`, {
        hint: 'Change the permissions of the folder, work in a copy of the project, or set TOOLKIT_HOME to a folder that you can write to.',
        cause: error,
      });
    default:
      return error;
  }
}
