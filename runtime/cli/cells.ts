/** Source text → terminal cells. Characters that a terminal executes, hides or reorders become visible ones. */
import { textWidth } from './textWidth.ts';

const TAB_STOP = 4;
const PLAIN = /^[\x20-\x7E]*$/;
/** Joiners and tags are part of some emoji and scripts; every other format character hides or reorders text. */
const UNSAFE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200C|\u200D|[\u{E0020}-\u{E007F}])\p{Cf}|^(?:\u200C|\u200D|[\u{E0020}-\u{E007F}])+$/gu;
const JOINERS = /\u200C|\u200D/g;
const CONTROL_PICTURES = 0x24_00;
const DELETE = 0x7f;

/** One character as it is drawn. */
export interface Cell {
  text: string;
  /** Width in columns: 0, 1, 2, or up to the next tab stop. */
  width: number;
  /** Range in the source, in UTF-16 units; `end` is exclusive. */
  start: number;
  end: number;
}

let graphemes: Intl.Segmenter | null = null;

/** Replaces each unsafe character by its control picture (`␛` for an escape), or by `�` if it has none. */
export function drawUnsafe(text: string): string {
  return text.replace(UNSAFE, (found) => {
    const code = found.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
    return code === DELETE ? '\u2421' : '\uFFFD';
  });
}

/**
 * Splits part of one line into cells.
 *
 * @param offset - Offset of the part in its line.
 */
export function cellsOf(part: string, offset: number): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  let start = offset;
  for (const written of charactersOf(part)) {
    const text = written === '\t' ? ' '.repeat(TAB_STOP - (column % TAB_STOP)) : drawUnsafe(written);
    const width = written === '\t' || PLAIN.test(text) ? text.length : widthOf(text);
    cells.push({ text, width, start, end: start + written.length });
    column += width;
    start += written.length;
  }
  return cells;
}

function charactersOf(part: string): Iterable<string> {
  if (PLAIN.test(part)) return part;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(part), ({ segment }) => segment);
}

/** Joiners take no column, and one drawn character takes at most two. */
function widthOf(text: string): number {
  const joined = /\p{Extended_Pictographic}/u.test(text) ? text : text.replace(JOINERS, '');
  return Math.min(textWidth(joined), 2);
}
