/**
 * Starts, finds and ends the process of a node agent. It has a session of its own, so that it and its workers
 * survive a restart of the platform. Linux only: reads /proc.
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
/**
 * How often to check whether a process has ended. It is not always a child of this process, so no event
 * reports it.
 */
const POLL_MS = 20;
/** The longest wait for a killed process, which may be blocked on a disk. */
const KILL_MS = 5_000;

/** How an agent is started. */
export interface AgentProgram {
  /** Wheel or folder with toolkit_sdk. */
  workerPackage: string;
  /** The agent's working folder. */
  folder: string;
  /** Its output is appended to this file. */
  log: string;
  start: AgentStart;
}

/** Tells a process from a later one with the same pid. */
export interface ProcessIdentity {
  pid: number;
  startTime: number;
}

export interface SpawnedAgent {
  pid: number;
  ended: Promise<WorkerExit>;
}

/** Starts an agent. If one is already running, the new one ends at once with code 0. */
export async function spawnAgent(program: AgentProgram, python: string): Promise<SpawnedAgent> {
  const output = openSync(program.log, 'a', 0o600);
  try {
    rotateLog(program.log);
  } catch {
    // On a full disk the log is emptied, and the agent still starts.
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

/** The running process with this pid, or null. Pid 1 is never an agent. */
export function identify(pid: number): ProcessIdentity | null {
  const startTime = pid > 1 ? processStart(pid) : null;
  return startTime === null ? null : { pid, startTime };
}

export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return processStart(pid) === startTime;
}

/** Waits until a process has ended. Kills it if it is still running after `patience` milliseconds. */
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
    // It has ended, or now runs as another user.
  }
}

export interface FoundAgent extends ProcessIdentity {
  /** An older toolkit started it without a secret, so it cannot prove itself. */
  isOutdated: boolean;
}

/**
 * The agents of this TOOLKIT_HOME: the one that holds its lock, and any that are just trying to get it. An agent
 * that hangs can only be found this way.
 */
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
