/** Texts on a terminal of some width: colours take no cell, Chinese characters and emoji two. */
import measure from 'fast-string-truncated-width';
import { wrapAnsi } from 'fast-wrap-ansi';

const ESCAPE = '\u001B';
const RESET = `${ESCAPE}[0m`;
/** Cells below which breaking lines helps nobody. */
const NARROWEST = 20;

/** Cells of one line. */
export function textWidth(text: string): number {
  return measure(text).width;
}

/** One line, cut with an ellipsis to at most so many cells; colours end where it is cut. */
export function truncateText(text: string, cells: number): string {
  const { index, truncated, ellipsed } = measure(text, { limit: cells, ellipsis: '…', ellipsisWidth: 1 });
  if (!truncated) return text;
  const cut = text.slice(0, index) + (ellipsed ? '…' : '');
  return text.includes(ESCAPE) ? cut + RESET : cut;
}

/** The text without control characters other than colours, if the stream is a terminal: names and outputs may contain any. */
export function printable(text: string, stream: NodeJS.WriteStream): string {
  if (!stream.isTTY) return text;
  return text.replace(/\p{Cc}(?:\[[\d;]*m)?|[\u202A-\u202E\u2066-\u2069]/gu, (found) => {
    const isKept = found[0] === '\n' || found[0] === '\t' || (found[0] === ESCAPE && found.length > 1);
    return isKept ? found : found.slice(1);
  });
}

/** Lines broken between words for a terminal, indented as they were; an address stays whole. A pipe's stay as they are. */
export function wrapText(text: string, stream: NodeJS.WriteStream): string {
  // Some terminals tell no width, or none that a word fits into.
  if (!stream.isTTY || stream.columns < NARROWEST) return text;
  return text
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)![0];
      return wrapWithIndent(line.slice(indent.length), stream.columns, indent, indent);
    })
    .join('\n');
}

/** One paragraph broken between words, with its first line indented by `first` and all others by `rest`. */
export function wrapWithIndent(text: string, columns: number, first: string, rest: string): string {
  const wrapped = wrapAnsi(text, columns - Math.max(first.length, rest.length));
  return first + wrapped.replaceAll('\n', `\n${rest}`);
}

/** Columns of a terminal; 80 when it reports none, or fewer than a word fits into. */
export function columnsOf({ columns }: NodeJS.WriteStream): number {
  return columns >= NARROWEST ? columns : 80;
}
