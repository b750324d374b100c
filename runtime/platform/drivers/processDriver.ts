/**
 * Runs workers as processes of this machine, each in a session of its own, writing to a log file, so that they live
 * through a restart of the platform. Linux only: it reads /proc.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inheritedEnvironment } from './inheritedEnvironment.ts';
import { killLeftOvers } from './killLeftOvers.ts';
import { processStart } from './processStart.ts';
import type { WorkerDriver, WorkerExit, WorkerHandle, WorkerStart } from './workerDriver.ts';

/** How often an adopted process, which is no child of ours, is looked at. */
const POLL_MS = 250;
/** How often a stopping process group is looked at. */
const STOP_POLL_MS = 20;

export class ProcessDriver implements WorkerDriver {
  readonly #logs: string;
  readonly #work: string;
  readonly #workerPackage: string;
  readonly #running = new Map<string, WorkerHandle>();

  /**
   * @param folder The platform's folder: logs and the workers' private folders are made in it.
   * @param workerPackage Wheel or folder with toolkit_sdk.
   */
  constructor(folder: string, workerPackage: string) {
    this.#logs = path.join(folder, 'logs');
    this.#work = path.join(folder, 'workers');
    this.#workerPackage = workerPackage;
  }

  logFile(endpointId: string, workerId: string): string {
    return path.join(this.#logs, endpointId, `${workerId}.log`);
  }

  async start(start: WorkerStart, exited: (exit: WorkerExit) => void): Promise<WorkerHandle> {
    const { workerId } = start;
    const log = this.logFile(start.endpointId, workerId);
    const folder = path.join(this.#work, workerId);
    mkdirSync(path.dirname(log), { recursive: true, mode: 0o700 });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const output = openSync(log, 'a', 0o600);
    const child = spawn(start.python, ['-m', 'toolkit_sdk._worker'], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', output, output],
      env: {
        ...inheritedEnvironment(process.env),
        PYTHONPATH: this.#workerPackage,
        PYTHONUNBUFFERED: '1',
        ...start.environment,
      },
    });
    closeSync(output);
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    const handle = { pid: child.pid!, startTime: processStart(child.pid!) ?? 0 };
    this.#running.set(workerId, handle);
    const end = (exit: WorkerExit) => void this.#ended(workerId, exit, exited);
    if (child.exitCode !== null || child.signalCode !== null)
      end({ code: child.exitCode, signal: child.signalCode });
    else child.once('exit', (code, signal) => end({ code, signal }));
    return handle;
  }

  async adopt(
    workerId: string,
    handle: WorkerHandle | null,
    exited: (exit: WorkerExit) => void,
  ): Promise<boolean> {
    if (handle === null || processStart(handle.pid) !== handle.startTime) {
      await killLeftOvers(workerId);
      return false;
    }
    this.#running.set(workerId, handle);
    const timer = setInterval(() => {
      if (processStart(handle.pid) === handle.startTime) return;
      clearInterval(timer);
      void this.#ended(workerId, { code: null, signal: null }, exited);
    }, POLL_MS);
    timer.unref();
    return true;
  }

  async stop(workerId: string, graceMs: number): Promise<void> {
    const handle = this.#running.get(workerId);
    if (!handle) return;
    killGroup(handle.pid, handle.startTime, 'SIGTERM', true);
    const deadline = performance.now() + graceMs;
    while (this.#running.has(workerId) && processStart(handle.pid) === handle.startTime) {
      if (performance.now() > deadline) killGroup(handle.pid, handle.startTime, 'SIGKILL');
      await sleep(STOP_POLL_MS);
    }
    await killLeftOvers(workerId);
  }

  list(): string[] {
    return [...this.#running.keys()];
  }

  async forget(endpointId: string): Promise<void> {
    await rm(path.join(this.#logs, endpointId), { recursive: true, force: true });
  }

  /** A worker's end takes all along that it started. */
  async #ended(workerId: string, exit: WorkerExit, exited: (exit: WorkerExit) => void): Promise<void> {
    await killLeftOvers(workerId);
    this.#running.delete(workerId);
    exited(exit);
    await rm(path.join(this.#work, workerId), { recursive: true, force: true });
  }
}

/**
 * Signals a worker's process group, or with `leaderOnly` the process that supervises it. A pid that meanwhile belongs
 * to another process is left alone; a group whose leader is gone keeps its number while members live.
 */
function killGroup(pid: number, startTime: number, signal: NodeJS.Signals, leaderOnly = false): void {
  const now = processStart(pid);
  if (now !== null && now !== startTime) return;
  try {
    process.kill(leaderOnly ? pid : -pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
