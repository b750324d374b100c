/** Opens a project file that ships: what cannot be read stops the build with its name. */
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';

/**
 * Opens a file to read it; the caller closes it.
 *
 * @param file Relative to the root, with `/`.
 * @throws ToolkitError PROJECT_HAS_ERRORS
 */
export async function openShipped(root: string, file: string): Promise<FileHandle> {
  try {
    return await open(path.join(root, file));
  } catch (cause) {
    throw new ToolkitError('PROJECT_HAS_ERRORS', `${file} ships but cannot be read.`, {
      // Node writes this character for bytes that are no UTF-8, and finds no such file.
      hint: file.includes('\uFFFD')
        ? 'Rename it: its name is not valid UTF-8.'
        : 'Make it readable, or list it in .toolkitignore.',
      cause,
    });
  }
}
