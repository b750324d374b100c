/** Progress events as lines on stderr: one live line with bar, speed and time left on a terminal, plain lines in a pipe. */
import type { ProgressEvent, ReportProgress } from '../contract/progress.ts';
import { formatBytes, formatSeconds } from './format.ts';
import { paint } from './paint.ts';

const BAR_CELLS = 24;
const REDRAW_MS = 80;

interface Transfer {
  label: string;
  done: number;
  startedAt: number;
  drawnAt: number;
}

/** Draws onto `stream`; `settle` clears the live line. */
export function drawProgress(options: { stream: NodeJS.WriteStream; verbose: boolean }): {
  report: ReportProgress;
  settle: () => void;
} {
  const { stream } = options;
  const live = stream.isTTY === true;
  let liveLine = false;
  let transfer: Transfer | null = null;

  const clear = (): void => {
    if (liveLine) stream.write('\r\u001B[2K');
    liveLine = false;
  };
  const print = (text: string): void => {
    clear();
    stream.write(`${text}\n`);
  };
  const redraw = (text: string): void => {
    stream.write(`\r\u001B[2K${text.slice(0, (stream.columns ?? 80) + 40)}`);
    liveLine = true;
  };

  /** A transfer is told once, when something else begins: its total may grow while lengths become known. */
  const endTransfer = (): void => {
    if (!transfer) return;
    const { label, done, startedAt } = transfer;
    transfer = null;
    print(`  ${label} ${formatBytes(done)} in ${formatSeconds((performance.now() - startedAt) / 1000)}`);
  };
  const onBytes = (label: string, done: number, total: number | null): void => {
    const now = performance.now();
    if (transfer?.label !== label) {
      endTransfer();
      transfer = { label, done, startedAt: now, drawnAt: 0 };
    }
    transfer.done = done;
    if (!live || now - transfer.drawnAt < REDRAW_MS) return;
    transfer.drawnAt = now;
    redraw(bar(label, done, total, (now - transfer.startedAt) / 1000));
  };

  const report = (event: ProgressEvent): void => {
    if (event.type !== 'bytes') endTransfer();
    if (event.type === 'stage') {
      const { stage, state, detail, seconds } = event;
      if (state === 'started') {
        if (live) redraw(`${paint.cyan('•')} ${paint.bold(stage)} …`);
      } else {
        print(
          `${paint.green('✓')} ${paint.bold(stage.padEnd(9))} ${detail ?? ''} ${paint.dim(formatSeconds(seconds))}`,
        );
      }
    } else if (event.type === 'step') {
      if (live) redraw(`  ${event.message} …`);
      else if (options.verbose) print(`  ${event.message}`);
    } else if (event.type === 'bytes') {
      onBytes(event.label, event.done, event.total);
    } else if (event.type === 'count') {
      if (live) redraw(`  ${event.label} ${event.done}${event.total === null ? '' : ` of ${event.total}`} …`);
    } else {
      print(`${paint.yellow('warning')}: ${event.message}`);
    }
  };
  return {
    report,
    settle: () => {
      endTransfer();
      clear();
    },
  };
}

function bar(label: string, done: number, total: number | null, seconds: number): string {
  const speed = seconds > 0.2 ? done / seconds : 0;
  const rate = speed > 0 ? ` ${formatBytes(speed)}/s` : '';
  if (total === null) return `  ${label} ${formatBytes(done)}${rate}`;
  const filled = Math.round((done / Math.max(total, 1)) * BAR_CELLS);
  const cells = paint.cyan('━'.repeat(filled)) + paint.dim('━'.repeat(BAR_CELLS - filled));
  const left = speed > 0 ? ` ${formatSeconds((total - done) / speed)} left` : '';
  return `  ${label} ${cells} ${formatBytes(done)} of ${formatBytes(total)}${rate}${left}`;
}
