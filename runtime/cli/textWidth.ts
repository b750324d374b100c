/** How wide a text is on a terminal: colours take no cell, Chinese characters and emoji two. */
import measure from 'fast-string-truncated-width';

const RESET = '\u001B[0m';

/** Cells of one line. */
export function textWidth(text: string): number {
  return measure(text).width;
}

/** One line, cut with an ellipsis to at most so many cells; colours end where it is cut. */
export function truncateText(text: string, cells: number): string {
  const { index, truncated, ellipsed } = measure(text, { limit: cells, ellipsis: '…', ellipsisWidth: 1 });
  if (!truncated) return text;
  const cut = text.slice(0, index) + (ellipsed ? '…' : '');
  return text.includes('\u001B') ? cut + RESET : cut;
}
