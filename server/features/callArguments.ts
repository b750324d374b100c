/** An unfinished call → the argument that the cursor is in, and the arguments before and after it. */
import type { Cursor } from './cursor.ts';
import type { OpenBracket } from './structure.ts';
import { split, type Token, untilClosed } from './tokens.ts';

export interface CallArguments {
  /** Zero-based index of the cursor's argument. */
  index: number;
  /** Its keyword; null if it has none yet. */
  keyword: string | null;
  /** Tokens of its value before the cursor. */
  value: Token[];
  /** Keywords of the other arguments, before and after the cursor; null for a positional one. */
  others: (string | null)[];
}

/** Where in an argument of `Endpoint` the cursor is. */
export interface ArgumentPlace {
  /** The bracket inside the value, such as a list's; null at the value itself. */
  inner: OpenBracket | null;
  /** Whether part of the value is before the cursor. */
  begun: boolean;
  /** The line of the call, used to find its declaration. */
  line: number;
  /** Name of the function or class that the call decorates. */
  decorated: string | null;
}

/** Reads the arguments of a call that is open at the cursor. */
export function callArguments({ text, string, word }: Cursor, bracket: OpenBracket): CallArguments {
  const before = split(bracket.inside);
  const current = before.pop() ?? [];
  const after = split(untilClosed(text, string ? string.end : word.end));
  // The first part is the rest of the cursor's own argument, unless it has a keyword: then it is another argument, and
  // the comma is missing.
  if (keywordOf(after[0]!) === null) after.shift();
  const keyword = keywordOf(current);
  return {
    index: before.length,
    keyword,
    value: keyword === null ? current : current.slice(2),
    others: [...before, ...after.filter((one) => one.length > 0)].map(keywordOf),
  };
}

/** The keyword of an argument; null if it has none. `==` is a comparison. */
function keywordOf([name, equals, next]: readonly Token[]): string | null {
  if (name?.kind !== 'name' || equals?.text !== '=') return null;
  return next?.text === '=' && next.start === equals.end ? null : name.text;
}
