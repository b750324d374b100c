/** A requirements file → its text. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { decodeRequirements } from '../../source/environment/requirementLines.ts';
import { systemCode } from '../fileErrors.ts';

/**
 * Reads a requirements file. Null if there is none and no other file includes it.
 *
 * @param file Relative to the root, with `/`.
 * @param includedAt The place of the line that includes it; null for the project's own file.
 * @throws ToolkitError REQUIREMENT_INVALID with that place.
 */
export async function requirementsText(
  root: string,
  file: string,
  includedAt: string | null,
): Promise<string | null> {
  const isOwn = includedAt === null;
  const from = isOwn ? '' : `${includedAt}: `;
  let bytes: Buffer;
  try {
    bytes = await readFile(path.resolve(root, file));
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' && isOwn) return null;
    if (code === 'EISDIR') {
      throw new ToolkitError('REQUIREMENT_INVALID', `${from}The requirements file ${file} is a folder.`, {
        hint: isOwn ? 'Rename the folder.' : 'Name a file, or remove the line.',
        cause,
      });
    }
    throw new ToolkitError('REQUIREMENT_INVALID', `${from}The requirements file ${file} cannot be read.`, {
      hint: isOwn ? 'Check its permissions.' : 'Add the file, or remove the line that names it.',
      cause,
    });
  }
  const text = decodeRequirements(bytes);
  if (text !== null) return text;
  throw new ToolkitError('REQUIREMENT_INVALID', `${from}The requirements file ${file} is not UTF-8.`, {
    hint: 'Save it as UTF-8.',
  });
}
