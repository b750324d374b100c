/**
 * An endpoint's name and a new name → the edits that rename it in each declaration, and in strings that may
 * refer to it.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { isValidName, LIVE_PREFIX, NAME_RULE, PROJECT_FILES } from '../../contract/names.ts';
import type { Expression } from '../binder/Expression.ts';
import { readToml } from '../binder/readToml.ts';
import { type Declaration, effectiveName, nameRange } from '../declarations/Declaration.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { type Steps, takeTurns } from '../steps.ts';
import { placeKey } from '../syntax/range.ts';
import { equalTexts } from './equalTexts.ts';
import { nameArgument } from './nameArgument.ts';
import { nameLiterals } from './nameLiterals.ts';
import type { RenameEdit } from './RenameEdit.ts';

/**
 * Renames an endpoint in each of its declarations, by editing the string that the name comes from.
 *
 * @throws ToolkitError VALIDATION_ERROR when the new name is not valid, CONFLICT when another endpoint has
 *   it, or when a declaration's name comes from settings that other declarations also use.
 */
export async function renameName(
  project: ProjectView,
  oldName: string,
  newName: string,
  signal: AbortSignal,
): Promise<RenameEdit[]> {
  if (!isValidName(newName) || newName.startsWith(LIVE_PREFIX)) {
    const rule = isValidName(newName)
      ? `names that begin with "${LIVE_PREFIX}" are reserved for toolkit dev`
      : `use ${NAME_RULE}`;
    throw new ToolkitError('VALIDATION_ERROR', `"${newName}" is not a valid endpoint name: ${rule}.`, {
      hint: 'Choose another name.',
    });
  }
  if (newName === oldName) return [];
  refuseTakenName(project, oldName, newName);
  const bearers = project.index.declarations.filter((one) => effectiveName(one) === oldName);
  const edits = unique(bearers.map((declaration) => declared(project, declaration, newName)));
  return [...edits, ...(await textsThatMayMean(project, oldName, newName, edits, signal))];
}

/**
 * Refuses a name that another endpoint already has.
 *
 * @throws ToolkitError CONFLICT.
 */
export function refuseTakenName({ index }: ProjectView, oldName: string, newName: string): void {
  const taken = index.declarations.find((one) => effectiveName(one) === newName);
  if (!taken) return;
  const { file, range } = nameRange(taken);
  throw new ToolkitError(
    'CONFLICT',
    `The endpoint "${oldName}" cannot be renamed to "${newName}": ${file}:${range.start.line + 1} already declares an endpoint with this name.`,
    { hint: 'Choose another name.' },
  );
}

/**
 * The strings in the project's Python files and pyproject.toml that equal a name and are not already edited.
 */
export async function textsThatMayMean(
  project: ProjectView,
  oldName: string,
  newName: string,
  edits: readonly RenameEdit[],
  signal: AbortSignal,
): Promise<RenameEdit[]> {
  const edited = new Set(edits.map(keyOf));
  const found: RenameEdit[] = [];
  const add = (file: string, range: Range) => found.push({ file, range, text: newName, reason: 'maybe' });
  await takeTurns(eachEqualText(project, oldName, add), signal);
  for (const range of await textsOfPyproject(project, oldName)) add(PROJECT_FILES.pyproject, range);
  return found.filter((edit) => !edited.has(keyOf(edit)));
}

function* eachEqualText(
  project: ProjectView,
  wanted: string,
  add: (file: string, range: Range) => void,
): Steps {
  const quotes = [`"${wanted}"`, `'${wanted}'`];
  const isQuoted = ({ text }: { text: string }) => quotes.some((quoted) => text.includes(quoted));
  for (const file of yield* project.filesWithWord(wanted)) {
    yield;
    if (!isQuoted({ text: project.textOf(file) ?? '' })) continue;
    yield* project.withSegments(file, isQuoted, (root, text) => {
      for (const range of equalTexts(root, text, wanted)) add(file, range);
    });
  }
}

function declared(project: ProjectView, declaration: Declaration, newName: string): RenameEdit {
  const literal = nameLiterals(project.index).find((one) => one.declaration === declaration);
  if (literal) {
    const { file, range, isWhole } = literal;
    const content = isWhole ? contentRange(project.textOf(file) ?? '', range) : null;
    return { file, range: content ?? range, text: content ? newName : `"${newName}"`, reason: 'certain' };
  }
  const inserted = declaration.name.state === 'absent' ? nameArgument(project, declaration, newName) : null;
  if (inserted) return { ...inserted, reason: 'certain' };
  const { file, range } = nameRange(declaration);
  const place = `${file}:${range.start.line + 1}`;
  throw new ToolkitError(
    'CONFLICT',
    `Cannot rename the endpoint at ${place}: its name comes from a value that is also used elsewhere.`,
    { hint: `Write name="${newName}" in the call at ${place}.` },
  );
}

async function textsOfPyproject(project: ProjectView, wanted: string): Promise<Range[]> {
  const text = project.textOf(PROJECT_FILES.pyproject);
  if (!text?.includes(wanted)) return [];
  try {
    const { value } = await readToml(text, []);
    return value ? stringsIn(value, wanted).flatMap((range) => contentRange(text, range) ?? []) : [];
  } catch (error) {
    // Reported as a separate diagnostic.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function stringsIn(value: Expression, wanted: string): Range[] {
  if (value.kind === 'string') return value.value === wanted ? [value.range] : [];
  if (value.kind === 'sequence') return value.items.flatMap((item) => stringsIn(item, wanted));
  return value.kind === 'dict' ? value.entries.flatMap((entry) => stringsIn(entry.value, wanted)) : [];
}

/** The range between the quotes of a literal on one line; null when it has escapes or is not a literal. */
export function contentRange(text: string, { start, end }: Range): Range | null {
  if (start.line !== end.line) return null;
  const line = text.split('\n', start.line + 1)[start.line] ?? '';
  const literal = /^([rRuU]?)("""|'''|"|')([^\\]*)\2$/.exec(line.slice(start.character, end.character));
  if (!literal) return null;
  const quote = literal[2]!.length;
  return {
    start: { line: start.line, character: start.character + literal[1]!.length + quote },
    end: { line: end.line, character: end.character - quote },
  };
}

function unique(edits: readonly RenameEdit[]): RenameEdit[] {
  return [...new Map(edits.map((edit) => [keyOf(edit), edit])).values()];
}

function keyOf({ file, range: { start } }: RenameEdit): string {
  return `${file}:${placeKey(start)}`;
}
