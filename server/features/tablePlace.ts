/** The text of pyproject.toml and an index → the table, key and value at the index, even if unfinished. */
import { stringAt } from './cursor.ts';
import { lineStart } from './textPlaces.ts';
import { depthOf, type StringToken, tokensOf } from './tokens.ts';

const HEADING = /^[ \t]*(\[\[?)[ \t]*([^\]\n]*?)[ \t]*\]\]?/gm;
/** The last heading before a line. */
export function headingBefore(text: string, margin: number): { name: string; end: number } | null {
  let last: { name: string; end: number } | null = null;
  for (const match of text.slice(0, margin).matchAll(HEADING)) {
    last = { name: match[2]!.replaceAll(/[\s"']/g, ''), end: match.index + match[0].length };
  }
  return last;
}

interface Entry {
  /** The key whose value the cursor is in. */
  key: string | null;
  /** Whether the cursor is inside a list or an inline table. */
  isInside: boolean;
  string: StringToken | null;
  comment: boolean;
}

/** The entry at an index, in the table that begins at `from`. */
export function entryAt(text: string, from: number, offset: number): Entry {
  const tokens = tokensOf(text, from, offset);
  let key: string | null = null;
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    depth += depthOf(token);
    if (depth <= 0 && token.kind === 'newline') key = null;
    if (depth === 0 && key === null && token.text === '=' && at > 0) key = tokens[at - 1]!.text;
  }
  const last = tokens.at(-1);
  return { key, isInside: depth > 0, string: stringAt(last, offset), comment: last?.kind === 'comment' };
}

/** Keys of the table that begins at `from`, except the one that begins at `except`. */
export function givenKeys(text: string, from: number, except: number): Set<string> {
  const rest = text.slice(from);
  const next = /^[ \t]*\[/m.exec(rest);
  const table = next ? rest.slice(0, next.index) : rest;
  const keys = [...table.matchAll(/^[ \t]*([\w-]+)[ \t]*=/gm)];
  return new Set(
    keys.filter((match) => from + match.index + match[0].search(/\S/) !== except).map((match) => match[1]!),
  );
}

/** The word that contains the index or ends at it. */
export function wordAround(text: string, offset: number) {
  const margin = lineStart(text, offset);
  const before = /[\w-]*$/.exec(text.slice(margin, offset))![0];
  const after = /^[\w-]*/.exec(text.slice(offset, offset + 100))![0];
  return { start: offset - before.length, end: offset + after.length };
}
