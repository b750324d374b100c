/** Errors of the file system → messages that a user can act on. */
import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../contract/errors.ts';

/** To create a folder whose parent another process can create or remove meanwhile. */
const ATTEMPTS = 10;

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

/**
 * Creates a folder and its parents. Node's recursive mkdir hides why a read-only disk refuses, and never returns where the
 * system accepts no folders, such as in /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(folder);
      return;
    } catch (error) {
      // A symbolic link to a path that does not exist is in the way, but there is nothing to stat.
      const taken = systemCode(error) === 'EEXIST' ? statSync(folder, { throwIfNoEntry: false }) : undefined;
      if (taken?.isDirectory()) return;
      if (systemCode(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error;
      await makeFolder(path.dirname(folder));
    }
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
        hint: 'Free some space and try again. You can delete the cache folder in TOOLKIT_HOME at any time.',
        cause: error,
      });
    case 'EISDIR':
      return obstructed(place, 'it is a folder.', place, error);
    case 'EEXIST': {
      const taken = pathOf(error) ?? place;
      const what = existsSync(taken)
        ? 'a file, not a folder'
        : 'a symbolic link to a path that does not exist';
      return obstructed(place, `${taken} is ${what}.`, taken, error);
    }
    case 'ENOTDIR':
      return obstructed(place, `one of the folders in ${pathOf(error) ?? place} is a file.`, 'it', error);
    case 'EACCES':
    case 'EPERM':
      return new ToolkitError('NOT_WRITABLE', `${place} cannot be written: permission denied.`, {
        hint: `Change the permissions of ${place} and its folder. Or move the project, or TOOLKIT_HOME, to another folder.`,
        cause: error,
      });
    case 'EROFS':
      return new ToolkitError('NOT_WRITABLE', `${place} cannot be written: the disk is read-only.`, {
        hint: 'Use a folder on another disk for the project or TOOLKIT_HOME.',
        cause: error,
      });
    case 'ENOENT':
      if ((error as NodeJS.ErrnoException).syscall !== 'mkdir') return error;
      return new ToolkitError(
        'NOT_WRITABLE',
        `${place} cannot be written: folders cannot be created in this location.`,
        {
          hint: 'Choose another path.',
          cause: error,
        },
      );
    default:
      return error;
  }
}

/** @param obstacle How the hint names what is at the path. */
function obstructed(place: string, why: string, obstacle: string, cause: unknown): ToolkitError {
  return new ToolkitError('NOT_WRITABLE', `${place} cannot be written: ${why}`, {
    hint: `Move ${obstacle} elsewhere, or choose another path.`,
    cause,
  });
}

function pathOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).path;
}
