/**
 * A temporary folder and the servers of one benchmark. All are ended and removed with it, also after an
 * interrupt.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The maximum time for a server to start, and to end. */
const START_MS = 30_000;
const END_MS = 10_000;

export class Bench {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #broken = Promise.withResolvers<never>();
  readonly #over = new AbortController();
  #ended: Promise<void> | null = null;

  /** Rejects when a process ends too early. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  /** Aborted when the end begins. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Runs at the end, before everything that was registered earlier. */
  atEnd(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  /** Starts a process that runs until the end. */
  spawn(file: string, args: string[], options: SpawnOptions = {}): ChildProcess {
    const child = spawn(file, args, { cwd: this.folder, stdio: ['ignore', 'ignore', 'inherit'], ...options });
    child.once('error', this.#broken.reject);
    child.once('exit', (code, signal) => {
      if (this.#ended === null)
        this.#broken.reject(new Error(`${file} ${args.join(' ')} ended with ${code ?? signal}.`));
    });
    this.atEnd(() => ended(child));
    return child;
  }

  /** Starts a server and waits until it listens on a port of 127.0.0.1. */
  async serve(port: number, file: string, args: string[], options: SpawnOptions = {}): Promise<ChildProcess> {
    const child = this.spawn(file, args, options);
    const deadline = performance.now() + START_MS;
    while (!(await listens(port))) {
      if (performance.now() > deadline) throw new Error(`${file} does not listen on port ${port}.`);
      await sleep(20);
    }
    return child;
  }

  /** Ends all processes, the newest first, and removes the folder. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#over.abort();
    for (const end of this.#ends.toReversed()) await end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a benchmark; a signal ends it with its servers. */
export async function withBench(use: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = new Bench();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void bench.end().finally(() => process.exit(128 + constants.signals[signal]));
    });
  }
  try {
    await Promise.race([use(bench), bench.broken]);
  } finally {
    await bench.end();
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await exited;
  clearTimeout(timer);
}
