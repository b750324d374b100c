/** pyproject.toml → the endpoints that it declares, and other values with their ranges. */
import { ToolkitError } from '../contract/errors.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import type { IgnoreComment } from './binder/ignoreComments.ts';
import { readToml, type TomlFacts } from './binder/readToml.ts';
import { TABLES_PATH, type Tables, tableDeclarations } from './declarations/tableDeclarations.ts';
import { pyprojectText } from './projectConfig.ts';

/** A text without both words cannot declare endpoints. */
const MAY_DECLARE = /\btoolkit\b[^]*\bendpoints\b/;

const NONE: Tables = { declarations: [], misplaced: [] };

/**
 * Reads a root's `[[tool.toolkit.endpoints]]`.
 *
 * @param text - The text of pyproject.toml, null when there is none. Read from disk when omitted.
 * @throws ToolkitError PROJECT_CONFIG when pyproject.toml cannot be read.
 */
export async function readTables(
  root: string,
  text = pyprojectText(root),
): Promise<{ tables: Tables; ignores: IgnoreComment[] }> {
  if (text === null || !MAY_DECLARE.test(text)) return { tables: NONE, ignores: [] };
  const { value, ignores } = await readPyprojectAt(text, TABLES_PATH);
  return { tables: value ? tableDeclarations(value) : NONE, ignores };
}

/**
 * Reads the value at a path of pyproject.toml, with ranges.
 *
 * @throws ToolkitError PROJECT_CONFIG for invalid TOML.
 */
export async function readPyprojectAt(text: string, path: readonly string[]): Promise<TomlFacts> {
  try {
    return await readToml(text, path);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ToolkitError('PROJECT_CONFIG', `${PROJECT_FILES.pyproject}: ${cause.message}.`, {
      hint: 'Fix the syntax of the file.',
      cause,
    });
  }
}
