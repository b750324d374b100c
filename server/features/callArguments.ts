/** An unfinished call → which argument the cursor is in, and which ones stand before and after it. */
import type { Cursor } from './cursor.ts';
import type { OpenBracket } from './structure.ts';
import { type StringToken, type Token, tokensFrom } from './tokens.ts';

export interface CallArguments {
  /** Place of the cursor's argument in the call, from 0. */
  index: number;
  /** Its keyword; null while there is none. */
  keyword: string | null;
  /** Tokens of its value before the cursor. */
  value: (Token | StringToken)[];
  /** Keywords of the other arguments, before and after the cursor; null for a positional one. */
  others: (string | null)[];
}

/** Characters behind the cursor that are looked at for the rest of a call. */
const LOOK_AHEAD = 4_000;

/** Reads the arguments of a call that is open at the cursor. */
export function callArguments({ text, string, word }: Cursor, bracket: OpenBracket): CallArguments {
  const before = split(text, bracket.inside);
  const current = before.pop() ?? [];
  const behind = string ? string.end : word.end;
  const after = split(text, untilClosed(text, tokensFrom(text, behind, behind + LOOK_AHEAD)));
  // What is left of the cursor's own argument; another one where the comma between them is missing.
  if (keywordOf(text, after[0]!) === null) after.shift();
  return {
    index: before.length,
    keyword: keywordOf(text, current),
    value: keywordOf(text, current) === null ? current : current.slice(2),
    others: [...before, ...after.filter((one) => one.length > 0)].map((one) => keywordOf(text, one)),
  };
}

/** Tokens between the commas of one level; always at least one list. */
export function split(text: string, tokens: readonly (Token | StringToken)[]): (Token | StringToken)[][] {
  const parts: (Token | StringToken)[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    const char = token.kind === 'operator' ? text[token.start]! : '';
    if ('([{'.includes(char) && char !== '') depth += 1;
    else if (')]}'.includes(char) && char !== '') depth -= 1;
    if (char === ',' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

function keywordOf(text: string, [name, equals]: readonly (Token | StringToken)[]): string | null {
  if (name?.kind !== 'name' || equals?.kind !== 'operator' || text[equals.start] !== '=') return null;
  // `==` compares.
  if (text[equals.end] === '=') return null;
  return text.slice(name.start, name.end);
}

/** Up to the bracket that closes the call, or the statement that shows that it was never closed. */
function untilClosed(text: string, tokens: Iterable<Token | StringToken>): (Token | StringToken)[] {
  const kept: (Token | StringToken)[] = [];
  let depth = 0;
  let startsLine = false;
  for (const token of tokens) {
    if (token.kind === 'newline') startsLine = true;
    if (token.kind === 'newline' || token.kind === 'comment') continue;
    const written = text.slice(token.start, token.end);
    if (startsLine && /^(?:@|def|class|async|return|import|from)$/.test(written)) break;
    startsLine = false;
    if ('([{'.includes(written)) depth += 1;
    else if (')]}'.includes(written)) depth -= 1;
    if (depth < 0) break;
    kept.push(token);
  }
  return kept;
}
