/**
 * The `def` or `class` below an unfinished decorator. Read from the text, because the tree of unfinished code lacks it.
 */
import { split, untilClosed } from './tokens.ts';

/** In characters. How far below the cursor to look for a definition. */
const LOOK_AHEAD = 4_000;

/** The head of a definition, as far as it is written. */
interface Head {
  name: string;
  /** Names of its parameters without `self`, `*args` and `**kwargs`. */
  parameters: string[];
}

const HEAD = /^[ \t]*(?:async[ \t]+)?(def|class)[ \t]+([\p{L}_][\p{L}\p{N}_]*)[ \t]*(\()?/mu;

/** The first definition in a line after an index. */
export function functionBelow(text: string, offset: number): Head | null {
  const lineEnd = text.indexOf('\n', offset);
  const ahead = lineEnd === -1 ? '' : text.slice(lineEnd + 1, lineEnd + 1 + LOOK_AHEAD);
  const match = HEAD.exec(ahead);
  if (!match) return null;
  const [whole, keyword, name, open] = match;
  const isFunction = keyword === 'def' && open !== undefined;
  const inside = isFunction ? untilClosed(ahead, match.index + whole.length) : [];
  const parameters = split(inside).flatMap(([first]) =>
    first?.kind === 'name' && first.text !== 'self' ? [first.text] : [],
  );
  return { name: name!, parameters };
}
