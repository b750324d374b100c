/** Positions in a text, by its line feeds. */
import type { Position } from '../../contract/diagnostic.ts';

/** How many lines end in a text. */
export function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Line and column of an index. */
export function positionAt(text: string, index: number): Position {
  const before = text.slice(0, index);
  return { line: lineEndsIn(before), character: index - before.lastIndexOf('\n') - 1 };
}
