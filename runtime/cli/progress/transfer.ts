/** Progress of a transfer: a bar, its speed over the last seconds, and the time left. */
import { formatBytes, formatSeconds } from '../format.ts';
import { paint } from '../paint.ts';

const WINDOW_MS = 3_000;
const WIDEST_BAR = 30;
const NARROWEST_BAR = 8;
/** Cells that the rest of the line takes: indent, sizes, speed, time left. */
const REST = 56;

export class Transfer {
  readonly label: string;
  readonly #startedAt: number;
  #done = 0;
  #total: number | null = null;
  #samples: { at: number; done: number }[] = [];

  constructor(label: string, now: number) {
    this.label = label;
    this.#startedAt = now;
  }

  update(done: number, total: number | null, now: number): void {
    this.#done = done;
    this.#total = total;
    this.#samples = [...this.#samples.filter(({ at }) => now - at < WINDOW_MS), { at: now, done }];
  }

  /** One line for a terminal of this width. */
  draw(columns: number): string {
    const speed = this.#speed();
    const rate = speed > 0 ? ` · ${formatBytes(speed)}/s` : '';
    const total = this.#total;
    if (total === null) return `${this.label} ${formatBytes(this.#done)}${rate}`;
    const cells = Math.min(WIDEST_BAR, Math.max(NARROWEST_BAR, columns - REST - this.label.length));
    const filled = Math.min(cells, Math.round((this.#done / Math.max(total, 1)) * cells));
    const bar = paint.cyan('━'.repeat(filled)) + paint.dim('━'.repeat(cells - filled));
    const left =
      speed > 0 && total > this.#done ? ` · ${formatSeconds((total - this.#done) / speed)} left` : '';
    return `${this.label} ${bar} ${formatBytes(this.#done)} of ${formatBytes(total)}${rate}${left}`;
  }

  seconds(now: number): number {
    return (now - this.#startedAt) / 1_000;
  }

  /** The line printed at the end. */
  summary(now: number): string {
    return `${this.label} ${formatBytes(this.#done)} in ${formatSeconds(this.seconds(now))}`;
  }

  /** Recent bytes per second; 0 while there are too few samples. */
  #speed(): number {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (!first || !last || last.at - first.at < 200) return 0;
    return (last.done - first.done) / ((last.at - first.at) / 1_000);
  }
}
