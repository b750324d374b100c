/** Adds, replaces and removes the arguments of a declaration, in a Python call and in a table of pyproject.toml. */
import type { Range } from '../../contract/diagnostic.ts';
import type { Declaration, GivenArgument } from '../declarations/Declaration.ts';
import { dialectOf } from '../declarations/Declaration.ts';
import { assigned } from '../declarations/dialect.ts';
import type { FixText } from './Fix.ts';
import { appendItem, type BracketedList, prependItem, removeItem } from './listEdits.ts';
import type { SourceText } from './SourceText.ts';
import type { TextEdit } from './TextEdit.ts';

/** The declaration or route that contains the arguments. */
type ArgumentOwner = Pick<Declaration, 'form' | 'call' | 'given' | 'unknown'>;

/** Adds an argument; `name` comes first, as in the signature. */
export function addArgument(
  source: SourceText,
  declaration: Declaration,
  [keyword, value]: readonly [keyword: string, value: string],
): TextEdit[] {
  const written = assigned(dialectOf(declaration), keyword, value);
  const list = argumentList(source, declaration);
  const isFirst = keyword === 'name';
  if (list) return isFirst ? prependItem(source, list, written) : appendItem(source, list, written);
  const heading = source.offset(declaration.call.range.end);
  const keys = argumentsOf(declaration).filter(
    ({ keywordRange, expression }) => !holds(expression.range, keywordRange),
  );
  const ends = isFirst ? [] : keys.map(({ expression }) => source.offset(expression.range.end));
  return [source.insert(source.endOfLine(Math.max(heading, ...ends)), `${source.lineEnd}${written}`)];
}

/** Removes an argument that `isDirect` from a declaration or a call. */
export function removal(
  source: SourceText,
  declaration: ArgumentOwner,
  { keyword, keywordRange, expression }: Omit<GivenArgument, 'constant'>,
): FixText {
  const title = `Remove ${keyword}`;
  const list = argumentList(source, declaration);
  const start = source.offset(keywordRange.start);
  const end = source.offset(expression.range.end);
  const at = list?.items.findIndex((item) => item.end === end) ?? -1;
  if (list && at !== -1) return { title, edits: removeItem(source, list, at) };
  return { title, edits: [source.edit(source.startOfLine(start), source.startOfNextLine(end), '')] };
}

/** Workers as a pair: a list in TOML or when the current value is a list, otherwise a tuple. */
export function workersPair({ form, given }: Declaration, min: number, max: number): string {
  const isList = form === 'table' || given.workers?.constant.type === 'list';
  return isList ? `[${min}, ${max}]` : `(${min}, ${max})`;
}

/** Whether an argument is written in the declaration itself, not inside `**settings`. */
export function isDirect({ form, call }: Declaration, { expression }: GivenArgument): boolean {
  return (
    form === 'table' || call.arguments.some(({ spread, value }) => spread === null && value === expression)
  );
}

/** The keyword arguments except `name`, each as a pair of `keyword=`, `*` or `**`, and the value. */
export function otherArguments(source: SourceText, { call }: Declaration): [before: string, value: string][] {
  return call.arguments
    .filter(({ keyword, spread }) => spread !== null || (keyword !== 'name' && keyword !== null))
    .map(({ keyword, spread, value }) => [spread ?? `${keyword}=`, source.slice(value.range)]);
}

/** A value as a string literal, with the quotes of the literal that it replaces where possible. */
export function quoted(value: string, replaced = ''): string {
  const literal = JSON.stringify(value);
  const isSingle = replaced.startsWith("'") && !replaced.startsWith("'''") && !/["'\\]/.test(value);
  return isSingle ? `'${value}'` : literal;
}

/** The arguments between their brackets; null for a table under a heading. */
function argumentList(source: SourceText, declaration: ArgumentOwner): BracketedList | null {
  const { call, form } = declaration;
  if (form !== 'table') {
    const open = source.text.indexOf('(', source.offset(call.calleeRange.end)) + 1;
    const items = call.arguments.map(({ keywordRange, value, spread }) => {
      const start = source.offset((keywordRange ?? value.range).start);
      const stars = spread ? /\*+\s*$/.exec(source.text.slice(open, start)) : null;
      return { start: start - (stars?.[0].length ?? 0), end: source.offset(value.range.end) };
    });
    return { open, close: source.offset(call.range.end) - 1, items };
  }
  const start = source.offset(call.range.start);
  if (source.text[start] !== '{') return null;
  const items = argumentsOf(declaration).map(({ keywordRange, expression }) => ({
    start: source.offset(keywordRange.start),
    end: source.offset(expression.range.end),
  }));
  const inOrder = items.sort((a, b) => a.start - b.start);
  return { open: start + 1, close: source.offset(call.range.end) - 1, items: inOrder };
}

function argumentsOf({ given, unknown }: ArgumentOwner): GivenArgument[] {
  return [...Object.values(given), ...unknown];
}

/**
 * Whether a range contains the start of another. A table under its own heading has the range of that heading.
 */
function holds({ start, end }: Range, { start: inner }: Range): boolean {
  if (inner.line !== start.line || start.line !== end.line) return false;
  return start.character <= inner.character && inner.character < end.character;
}
