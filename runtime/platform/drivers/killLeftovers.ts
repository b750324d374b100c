/**
 * Kills everything that an ended worker has started, in any process group or session. Linux only: reads
 * /proc.
 */
import { readdir, readFile } from 'node:fs/promises';
import type { WorkerEnvironment } from '../../contract/workerProtocol.ts';

/** This variable contains the worker's id in the environment of all its processes. */
const MARK: keyof WorkerEnvironment = 'RUNPOD_POD_ID';
/** Repeats while processes are found: each may have started another one in the meantime. */
const ROUNDS = 10;

/** Kills every process whose environment contains the worker's id. Children inherit it. */
export async function killLeftovers(workerId: string): Promise<void> {
  const mark = `\0${MARK}=${workerId}\0`;
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const marked = await Promise.all(pids.map(async (pid) => ((await isMarked(pid, mark)) ? pid : null)));
    const found = marked.filter((pid) => pid !== null);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

async function isMarked(pid: number, mark: string): Promise<boolean> {
  try {
    return `\0${await readFile(`/proc/${pid}/environ`, 'latin1')}\0`.includes(mark);
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, or now runs as another user.
  }
}
