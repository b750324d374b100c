/** A range of source → its numbered lines with marks below the range, cut to the width of a terminal. */
import type { Range } from '../contract/diagnostic.ts';
import { type Cell, cellsOf } from './cells.ts';

const ELLIPSIS = '…';
/** Columns kept visible before a range that is too wide for the terminal. */
const CONTEXT = 8;
/** UTF-16 units read per column on either side of a range: a line can be megabytes long. */
const UNITS_PER_COLUMN = 4;

interface ExcerptStyle {
  /** Width of the terminal. */
  columns: number;
  /** Digits of the largest line number shown with this excerpt. */
  digits: number;
  mark: string;
  paintMark: (marks: string) => string;
  paintGutter?: (gutter: string) => string;
}

/**
 * Draws a range. Of a range over more than two lines, only the first and last are drawn. Empty if the text has no such
 * line.
 *
 * @param lines - The lines of the file. A trailing carriage return is not shown.
 */
export function excerpt(lines: readonly string[], { start, end }: Range, style: ExcerptStyle): string[] {
  if (start.line >= lines.length) return [];
  // A range that ends at the start of a line ends with the line break before it.
  const endsBefore = end.character === 0 && end.line > start.line;
  const last = Math.min(endsBefore ? end.line - 1 : end.line, lines.length - 1);
  const lastEnd = endsBefore || last < end.line ? Infinity : end.character;
  const row = (line: number, from: number, to: number): string[] =>
    drawLine(lines[line]!.replace(/\r$/, ''), { line, from, to }, style);
  if (last === start.line) return row(last, start.character, lastEnd);
  return [
    ...row(start.line, start.character, Infinity),
    ...(last - start.line > 1 ? [gutter(ELLIPSIS, style).trimEnd()] : []),
    ...row(last, lines[last]!.search(/\S|$/), lastEnd),
  ];
}

interface Marked {
  /** Zero-based. */
  line: number;
  /** In UTF-16 units of the line. */
  from: number;
  to: number;
}

function drawLine(text: string, { line, from, to }: Marked, style: ExcerptStyle): string[] {
  const start = Math.min(from, text.length);
  // An empty range is marked as one cell, which can be the one after the end of the line.
  const end = Math.max(Math.min(to, text.length), start + 1);
  const room = style.columns - gutter('', style).length;
  const { cells, isCutLeft, isCutRight } = cellsAround(text, start, end, room);
  const drawn = cells.map((cell) => cell.text).join('');
  const marks = cells
    .map((cell) => (cell.end > start && cell.start < end ? style.mark : ' ').repeat(cell.width))
    .join('');
  const left = isCutLeft ? ELLIPSIS : '';
  const paintGutter = style.paintGutter ?? ((plain) => plain);
  const under = ' '.repeat(left.length) + marks;
  return [
    `${paintGutter(gutter(String(line + 1), style))}${left}${drawn}${isCutRight ? ELLIPSIS : ''}`.trimEnd(),
    `${paintGutter(gutter('', style))}${under.replace(/\S.*\S|\S/, style.paintMark).trimEnd()}`,
  ];
}

function gutter(label: string, { digits }: ExcerptStyle): string {
  return `  ${label.padStart(digits)} | `;
}

/** The cells of a line that fit into `room` columns, chosen to include the range. */
function cellsAround(
  text: string,
  start: number,
  end: number,
  room: number,
): { cells: Cell[]; isCutLeft: boolean; isCutRight: boolean } {
  const reach = room * UNITS_PER_COLUMN;
  const first = Math.max(0, start - reach);
  const last = Math.min(text.length, Math.min(end, start + reach) + reach);
  const cells = cellsOf(text.slice(first, last), first);
  if (end > text.length) cells.push({ text: ' ', width: 1, start: text.length, end: text.length + 1 });
  const columns = cells.map(({ width }) => width);
  const total = sum(columns);
  if (first === 0 && last === text.length && total <= room)
    return { cells, isCutLeft: false, isCutRight: false };

  const before = sum(columns.filter((_, at) => cells[at]!.end <= start));
  const marked = sum(columns.filter((_, at) => cells[at]!.end > start && cells[at]!.start < end));
  const inner = room - 2 * ELLIPSIS.length;
  let skipped = 0;
  if (first > 0 || before + marked > room - ELLIPSIS.length) {
    const context = Math.max(CONTEXT, Math.floor((inner - marked) / 2));
    skipped = Math.max(0, before - Math.min(context, Math.floor(inner / 2)));
    // Show the line to its end if there is room.
    if (last === text.length) skipped = Math.min(skipped, Math.max(0, total - (room - ELLIPSIS.length)));
  }
  const from = indexAtColumn(columns, skipped);
  const isCutLeft = first > 0 || from > 0;
  const rest = room - (isCutLeft ? ELLIPSIS.length : 0);
  const isWhole = last === text.length && sum(columns.slice(from)) <= rest;
  const to = isWhole ? cells.length : lastThatFits(columns, from, rest - ELLIPSIS.length);
  return { cells: cells.slice(from, to), isCutLeft, isCutRight: !isWhole };
}

/** The first cell that starts at or after a column. */
function indexAtColumn(widths: readonly number[], column: number): number {
  let at = 0;
  for (let sum = 0; at < widths.length && sum < column; at += 1) sum += widths[at]!;
  return at;
}

/** The exclusive end of the cells from `from` that fit into `room` columns. */
function lastThatFits(widths: readonly number[], from: number, room: number): number {
  let at = from;
  for (let left = room; at < widths.length && widths[at]! <= left; at += 1) left -= widths[at]!;
  return at;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
