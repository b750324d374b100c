/** Positions in a text, counted by line feeds. */
import type { Position } from '../../contract/diagnostic.ts';

/** The number of line ends in a text. */
export function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The line and column of an index. */
export function positionAt(text: string, index: number): Position {
  const before = text.slice(0, index);
  return { line: lineEndsIn(before), character: index - before.lastIndexOf('\n') - 1 };
}
