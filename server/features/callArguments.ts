/** An unfinished call → which argument the cursor is in, and which ones are before and after it. */
import type { Cursor } from './cursor.ts';
import type { OpenBracket } from './structure.ts';
import { split, type Token, untilClosed } from './tokens.ts';

export interface CallArguments {
  /** Index of the cursor's argument in the call, from 0. */
  index: number;
  /** Its keyword; null while there is none. */
  keyword: string | null;
  /** Tokens of its value before the cursor. */
  value: Token[];
  /** Keywords of the other arguments, before and after the cursor; null for a positional one. */
  others: (string | null)[];
}

/** Where in an argument of `Endpoint` the cursor is. */
export interface ArgumentPlace {
  /** The bracket inside of the value, such as a list's; null at the value itself. */
  inner: OpenBracket | null;
  /** Whether part of the value is before the cursor. */
  begun: boolean;
  /** The line of the call, by which its declaration is found. */
  line: number;
  /** Name of the function or class that the call decorates. */
  decorated: string | null;
}

/** Reads the arguments of a call that is open at the cursor. */
export function callArguments({ text, string, word }: Cursor, bracket: OpenBracket): CallArguments {
  const before = split(bracket.inside);
  const current = before.pop() ?? [];
  const after = split(untilClosed(text, string ? string.end : word.end));
  // The first part is the rest of the cursor's own argument. With a keyword it is another one, and the comma is
  // missing.
  if (keywordOf(after[0]!) === null) after.shift();
  const keyword = keywordOf(current);
  return {
    index: before.length,
    keyword,
    value: keyword === null ? current : current.slice(2),
    others: [...before, ...after.filter((one) => one.length > 0)].map(keywordOf),
  };
}

/** The keyword of an argument; null when it has none. `==` is a comparison. */
function keywordOf([name, equals, next]: readonly Token[]): string | null {
  if (name?.kind !== 'name' || equals?.text !== '=') return null;
  return next?.text === '=' && next.start === equals.end ? null : name.text;
}
