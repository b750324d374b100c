/** Draws progress on stderr: live lines on a terminal, one plain line per finished stage in a pipe. */
import type { DeployStage, ProgressEvent, ReportProgress } from '../../contract/progress.ts';
import { formatSeconds } from '../format.ts';
import { paint } from '../paint.ts';
import { wrapText } from '../textWidth.ts';
import { LiveRegion } from './liveRegion.ts';
import { Transfer } from './transfer.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
/** A transfer that took fewer seconds gets no line of its own. */
const WORTH_PRINTING = 1;
/** At most this many starting endpoints are shown by name. */
const MOST_ENDPOINTS = 8;

export interface ProgressDrawing {
  report: ReportProgress;
  /** Clears the live lines before other text is written; the next event draws them again. */
  settle: () => void;
}

export function drawProgress(options: {
  stream: NodeJS.WriteStream;
  verbose: boolean;
  live: boolean;
}): ProgressDrawing {
  return options.live
    ? drawLive(options.stream)
    : drawPlain((line) => options.stream.write(`${line}\n`), options.verbose);
}

function drawPlain(print: (line: string) => void, verbose: boolean): ProgressDrawing {
  let transfer: Transfer | null = null;
  /** Printed once, when the next event arrives: the total can grow while file sizes become known. */
  const endTransfer = (): void => {
    if (transfer) print(`  ${transfer.summary(performance.now())}`);
    transfer = null;
  };
  const report = (event: ProgressEvent): void => {
    if (event.type === 'bytes') {
      const now = performance.now();
      if (transfer?.label !== event.label) {
        endTransfer();
        transfer = new Transfer(event.label, now);
      }
      transfer.update(event.done, event.total, now);
      return;
    }
    endTransfer();
    if (event.type === 'stage' && event.state === 'finished') print(finishedStage(event));
    if (event.type === 'warning') print(warning(event.message));
    if (event.type === 'step' && verbose) print(`  ${event.message}`);
    if (event.type === 'endpoint' && verbose) print(finishedEndpoint(event));
  };
  return { report, settle: endTransfer };
}

function drawLive(stream: NodeJS.WriteStream): ProgressDrawing {
  const region = new LiveRegion(stream);
  let stage: { name: DeployStage; startedAt: number } | null = null;
  /** The current activity and its start. */
  let activity: { text: string; startedAt: number } | null = null;
  let transfer: Transfer | null = null;
  let starting = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let frame = 0;

  const render = (): void => {
    frame += 1;
    const spinner = paint.cyan(FRAMES[frame % FRAMES.length]!);
    const now = performance.now();
    const since = (startedAt: number): string => paint.dim(formatSeconds((now - startedAt) / 1_000));
    const what = activity?.text ?? '';
    const lines = stage
      ? [`${spinner} ${paint.bold(stage.name.padEnd(9))} ${what ? `${what} ` : ''}${since(stage.startedAt)}`]
      : activity
        ? [`${spinner} ${what} ${since(activity.startedAt)}`]
        : [];
    const indent = lines.length > 0 ? '  ' : `${spinner} `;
    if (transfer) lines.push(`${indent}${transfer.draw(stream.columns || 80)}`);
    const names = [...starting];
    for (const [name, startedAt] of names.slice(0, MOST_ENDPOINTS))
      lines.push(`  ${spinner} ${name} ${paint.dim('starting')} ${since(startedAt)}`);
    if (names.length > MOST_ENDPOINTS) lines.push(paint.dim(`    and ${names.length - MOST_ENDPOINTS} more`));
    if (lines.length > 0) region.draw(lines);
    else region.clear();
  };
  const stop = (): void => {
    if (timer) clearInterval(timer);
    timer = null;
    region.clear();
  };
  const endTransfer = (): void => {
    const now = performance.now();
    if (transfer && transfer.seconds(now) >= WORTH_PRINTING)
      region.print(`  ${paint.dim(transfer.summary(now))}`);
    transfer = null;
  };

  const accept = (event: ProgressEvent, now: number): void => {
    if (event.type === 'bytes') {
      if (transfer?.label !== event.label) {
        endTransfer();
        activity = null;
        transfer = new Transfer(event.label, now);
      }
      transfer.update(event.done, event.total, now);
      return;
    }
    endTransfer();
    if (event.type === 'stage') {
      activity = null;
      starting = new Map();
      stage = event.state === 'started' ? { name: event.stage, startedAt: now } : null;
      if (event.state === 'finished') region.print(finishedStage(event));
    } else if (event.type === 'step') {
      activity = { text: event.message, startedAt: now };
    } else if (event.type === 'endpoint') {
      if (event.state === 'starting') starting.set(event.endpoint, now);
      else starting.delete(event.endpoint);
      if (event.state !== 'starting') region.print(finishedEndpoint(event));
    } else {
      region.print(wrapText(warning(event.message), stream));
    }
  };

  return {
    report: (event) => {
      accept(event, performance.now());
      // `bytes` events arrive many times a second and wait for the next frame. Others may have printed over the region.
      if (!timer || event.type !== 'bytes') render();
      timer ??= setInterval(render, FRAME_MS).unref();
    },
    settle: () => {
      endTransfer();
      activity = null;
      stop();
    },
  };
}

type StageEvent = Extract<ProgressEvent, { type: 'stage' }>;
type EndpointEvent = Extract<ProgressEvent, { type: 'endpoint' }>;

function finishedStage({ stage, detail, seconds }: StageEvent): string {
  return `${paint.green('✓')} ${paint.bold(stage.padEnd(9))} ${detail ?? ''} ${paint.dim(formatSeconds(seconds))}`;
}

function finishedEndpoint({ endpoint, state, seconds }: EndpointEvent): string {
  const mark = state === 'failed' ? paint.red('✗') : state === 'removed' ? paint.dim('-') : paint.green('✓');
  return `  ${mark} ${endpoint} ${paint.dim(`${state} ${formatSeconds(seconds)}`)}`;
}

function warning(message: string): string {
  return `${paint.yellow('warning')}: ${message}`;
}
