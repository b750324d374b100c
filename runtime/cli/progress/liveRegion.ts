/** The last lines of a terminal, drawn over and over; what is printed for good goes above them. */
import { textWidth, truncateText } from '../textWidth.ts';

export class LiveRegion {
  readonly #stream: NodeJS.WriteStream;
  /** Cells of each line on the screen; a terminal made narrower has wrapped them since. */
  #drawn: number[] = [];

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Replaces the region by these lines, cut to the terminal's width and height. */
  draw(lines: string[]): void {
    const { columns, rows } = this.#size();
    const shown = lines.slice(0, Math.max(1, rows - 1)).map((line) => truncateText(line, columns - 1));
    this.#stream.write(this.#erasure(columns) + shown.join('\n'));
    this.#drawn = shown.map(textWidth);
  }

  /** Removes the region, and writes a line that stays. */
  print(line: string): void {
    this.#stream.write(`${this.#erasure(this.#size().columns)}${line}\n`);
    this.#drawn = [];
  }

  clear(): void {
    if (this.#drawn.length === 0) return;
    this.#stream.write(this.#erasure(this.#size().columns));
    this.#drawn = [];
  }

  /** To the region's first column, each of its rows emptied: clearing all below would fill some scrollbacks. */
  #erasure(columns: number): string {
    if (this.#drawn.length === 0) return '';
    const rows = this.#drawn.reduce((sum, cells) => sum + Math.max(1, Math.ceil(cells / columns)), 0);
    return `\r\u001B[2K${'\u001B[1A\u001B[2K'.repeat(rows - 1)}`;
  }

  /** A terminal that does not tell its size counts as 80 × 24. */
  #size(): { columns: number; rows: number } {
    return { columns: Math.max(this.#stream.columns || 80, 10), rows: this.#stream.rows || 24 };
  }
}
