/** The `def` or `class` that a decorator being written stands on: from the text, as the tree of unfinished code lacks it. */
import { split } from './callArguments.ts';
import { isString, type Token, tokensFrom } from './tokens.ts';

/** Characters below the cursor in which a definition is looked for. */
const LOOK_AHEAD = 4_000;

/** A definition's head as far as it is written. */
export interface Head {
  name: string;
  /** Names of its parameters without `self`, `*args` and `**kwargs`. */
  parameters: string[];
}

const HEAD = /^[ \t]*(?:async[ \t]+)?(def|class)[ \t]+([\p{L}_][\p{L}\p{N}_]*)[ \t]*(\()?/gmu;

/** The first definition in a line after an index, with nothing but decorators and blank lines before it. */
export function functionBelow(text: string, offset: number): Head | null {
  const lineEnd = text.indexOf('\n', offset);
  if (lineEnd === -1) return null;
  const ahead = text.slice(lineEnd + 1, lineEnd + 1 + LOOK_AHEAD);
  HEAD.lastIndex = 0;
  const match = HEAD.exec(ahead);
  if (!match) return null;
  const [whole, keyword, name, open] = match;
  if (keyword === 'class' || open === undefined) return { name: name!, parameters: [] };
  const start = match.index + whole.length;
  return { name: name!, parameters: parametersOf(ahead, tokensFrom(ahead, start)) };
}

function parametersOf(text: string, tokens: Iterable<Token>): string[] {
  const inside: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    const char = token.kind === 'operator' ? text[token.start]! : '';
    if ('([{'.includes(char) && char !== '') depth += 1;
    else if (')]}'.includes(char) && char !== '') depth -= 1;
    if (depth < 0) break;
    if (token.kind !== 'newline' && token.kind !== 'comment') inside.push(token);
  }
  return split(text, inside).flatMap(([first]) => {
    if (!first || isString(first) || first.kind !== 'name') return [];
    const name = text.slice(first.start, first.end);
    return name === 'self' ? [] : [name];
  });
}
