/** The last lines of a terminal, redrawn in place. Permanent lines are printed above them. */
import { textWidth, truncateText } from '../textWidth.ts';

export class LiveRegion {
  readonly #stream: NodeJS.WriteStream;
  /** Width of each drawn line, to count its rows: a terminal that was made narrower has wrapped it. */
  #drawn: number[] = [];

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Replaces the region with these lines, cut to the terminal's width and height. */
  draw(lines: string[]): void {
    const { columns, rows } = this.#size();
    const shown = lines.slice(0, Math.max(1, rows - 1)).map((line) => truncateText(line, columns - 1));
    this.#stream.write(this.#erasure(columns) + shown.join('\n'));
    this.#drawn = shown.map(textWidth);
  }

  /** Clears the region and prints a permanent line. */
  print(line: string): void {
    this.#stream.write(`${this.#erasure(this.#size().columns)}${line}\n`);
    this.#drawn = [];
  }

  clear(): void {
    if (this.#drawn.length === 0) return;
    this.#stream.write(this.#erasure(this.#size().columns));
    this.#drawn = [];
  }

  /** Erases the region row by row: clearing everything below would fill the scrollback of some terminals. */
  #erasure(columns: number): string {
    if (this.#drawn.length === 0) return '';
    const rows = this.#drawn.reduce((sum, cells) => sum + Math.max(1, Math.ceil(cells / columns)), 0);
    return `\r\u001B[2K${'\u001B[1A\u001B[2K'.repeat(rows - 1)}`;
  }

  /** 80 × 24 if the terminal does not report its size. */
  #size(): { columns: number; rows: number } {
    return { columns: Math.max(this.#stream.columns || 80, 10), rows: this.#stream.rows || 24 };
  }
}
