/** Measures, cuts and wraps text for a terminal. Colors take no cell; Chinese characters and emoji take two. */
import measure from 'fast-string-truncated-width';
import { wrapAnsi } from 'fast-wrap-ansi';

const ESCAPE = '\u001B';
const RESET = `${ESCAPE}[0m`;
/** Below this width, lines are not wrapped. */
const NARROWEST = 20;

/** Width of one line in cells. */
export function textWidth(text: string): number {
  return measure(text).width;
}

/** One line cut to at most `cells` cells, with an ellipsis. Colors are reset at the cut. */
export function truncateText(text: string, cells: number): string {
  const { index, truncated, ellipsed } = measure(text, { limit: cells, ellipsis: '…', ellipsisWidth: 1 });
  if (!truncated) return text;
  const cut = text.slice(0, index) + (ellipsed ? '…' : '');
  return text.includes(ESCAPE) ? cut + RESET : cut;
}

/** Removes control characters other than colors, if the stream is a terminal: names and outputs can contain any. */
export function printable(text: string, stream: NodeJS.WriteStream): string {
  if (!stream.isTTY) return text;
  return text.replace(/\p{Cc}(?:\[[\d;]*m)?|[\u202A-\u202E\u2066-\u2069]/gu, (found) => {
    const isKept = found[0] === '\n' || found[0] === '\t' || (found[0] === ESCAPE && found.length > 1);
    return isKept ? found : found.slice(1);
  });
}

/** Wraps lines for a terminal, keeping their indent and never breaking a URL. Text for a pipe is unchanged. */
export function wrapText(text: string, stream: NodeJS.WriteStream): string {
  // Some terminals report no width, or one too small for a word.
  if (!stream.isTTY || stream.columns < NARROWEST) return text;
  return text
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)![0];
      return wrapWithIndent(line.slice(indent.length), stream.columns, indent, indent);
    })
    .join('\n');
}

/** Wraps one paragraph: `first` indents its first line, `rest` the others. */
export function wrapWithIndent(text: string, columns: number, first: string, rest: string): string {
  const wrapped = wrapAnsi(text, columns - Math.max(first.length, rest.length));
  return first + wrapped.replaceAll('\n', `\n${rest}`);
}

/** Columns of a terminal; 80 if it reports none, or too few for a word. */
export function columnsOf({ columns }: NodeJS.WriteStream): number {
  return columns >= NARROWEST ? columns : 80;
}
