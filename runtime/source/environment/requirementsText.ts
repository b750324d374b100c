/** A requirements file → its text. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeRequirements } from './requirementLines.ts';

/** The text of a requirements file, or why it has none: one sentence, and its fix. */
type RequirementsText = { text: string } | { message: string; fix: string };

/**
 * Reads a requirements file. Null if there is none and no other file includes it.
 *
 * @param file - Relative to the root, with `/`.
 * @param isIncluded - Whether a line of another file names it.
 */
export function requirementsText(root: string, file: string, isIncluded: boolean): RequirementsText | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path.resolve(root, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isIncluded) return null;
    if (code === 'EISDIR') {
      return {
        message: `The requirements file ${file} is a folder.`,
        fix: isIncluded ? 'Write the path of a file, or remove the line.' : 'Rename the folder.',
      };
    }
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return {
        message: `The requirements file ${file} does not exist.`,
        fix: 'Add the file, or remove the line that names it.',
      };
    }
    return {
      message: `The requirements file ${file} cannot be read (${code}).`,
      fix: 'Check its permissions.',
    };
  }
  const text = decodeRequirements(bytes);
  if (text !== null) return { text };
  return { message: `The requirements file ${file} is not UTF-8.`, fix: 'Save it as UTF-8.' };
}
