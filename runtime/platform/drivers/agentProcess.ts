/**
 * The process of a node agent: started in a session of its own, so that it and its workers live through a restart of
 * the platform, and ended. Linux only: it reads /proc.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentStart, WorkerExit } from '../../contract/agentProtocol.ts';
import { rotateLog } from '../rotateLog.ts';
import { inheritedEnvironment } from './inheritedEnvironment.ts';
import { processStart } from './processStart.ts';

const MODULE = 'toolkit_sdk._agent';
/** How often to check whether a process has ended: it may not be a child of this one, whose end is told. */
const POLL_MS = 20;
/** A killed process that waits for a disk is not waited for longer. */
const KILL_MS = 5_000;

/** How an agent is started. */
export interface AgentProgram {
  /** Wheel or folder with toolkit_sdk. */
  workerPackage: string;
  /** The agent's working folder. */
  folder: string;
  /** What it prints is appended to it. */
  log: string;
  start: AgentStart;
}

/** A process that is told from a later one of the same pid. */
export interface ProcessIdentity {
  pid: number;
  startTime: number;
}

export interface SpawnedAgent {
  pid: number;
  ended: Promise<WorkerExit>;
}

/** Starts an agent; where one runs already, the new one ends at once with code 0. */
export async function spawnAgent(program: AgentProgram, python: string): Promise<SpawnedAgent> {
  const output = openSync(program.log, 'a', 0o600);
  try {
    rotateLog(program.log);
  } catch {
    // On a full disk the log is emptied, and the agent starts all the same.
  }
  const child = spawn(python, ['-m', MODULE, JSON.stringify(program.start)], {
    cwd: program.folder,
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...inheritedEnvironment(process.env),
      PYTHONPATH: program.workerPackage,
      PYTHONUNBUFFERED: '1',
    },
  });
  closeSync(output);
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  const ended = new Promise<WorkerExit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  return { pid: child.pid!, ended };
}

/** The living process of a pid, or null. The first process of a machine is never an agent of ours. */
export function identify(pid: number): ProcessIdentity | null {
  const startTime = pid > 1 ? processStart(pid) : null;
  return startTime === null ? null : { pid, startTime };
}

export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return processStart(pid) === startTime;
}

/** Waits until a process has ended; one that lives after some milliseconds is killed. */
export async function awaitEnd(agent: ProcessIdentity, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  while (isAlive(agent) && performance.now() < deadline + KILL_MS) {
    if (performance.now() >= deadline) killAgent(agent);
    await sleep(POLL_MS);
  }
}

export function killAgent(agent: ProcessIdentity): void {
  if (!isAlive(agent)) return;
  try {
    process.kill(agent.pid, 'SIGKILL');
  } catch {
    // It ended meanwhile, or runs as another user by now.
  }
}

export interface FoundAgent extends ProcessIdentity {
  /** It was started by a toolkit that gave it no secret, so that it cannot prove itself. */
  isOutdated: boolean;
}

/** The agents of a home, which hold its lock or would like to. One that hangs can be found in no other way. */
export async function findAgents({ lock }: AgentStart): Promise<FoundAgent[]> {
  const named = `"lock":${JSON.stringify(lock)}`;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const agent = words.includes(`\0${MODULE}\0`) && words.includes(named) ? identify(pid) : null;
      return agent && { ...agent, isOutdated: words.includes('"token":null') };
    }),
  );
  return found.filter((agent) => agent !== null);
}
