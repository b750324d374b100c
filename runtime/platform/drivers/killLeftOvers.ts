/** A worker that ended → nothing it started lives on, in whatever group or session that runs. Linux only: reads /proc. */
import { readdir, readFile } from 'node:fs/promises';
import type { WorkerEnvironment } from '../../contract/workerProtocol.ts';

/** Names the worker in the environment of all its processes. */
const MARK: keyof WorkerEnvironment = 'RUNPOD_POD_ID';
/** Looks again while something was found: a process may have started another one meanwhile. */
const ROUNDS = 10;

/** Kills every process whose environment names the worker, as all that it starts inherit. */
export async function killLeftOvers(workerId: string): Promise<void> {
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
    // It ended meanwhile, or belongs to somebody else.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile, or runs as another user by now.
  }
}
