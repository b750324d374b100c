/** The processes of a platform's workers, read from /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { FOREIGN_COMMAND } from './sdkCode.ts';

/** A process and its environment at its start. */
export interface WorkerProcess {
  pid: number;
  environment: Record<string, string>;
}

/**
 * Every process that works for the platform at an address: workers, their supervisors, and what they started.
 */
export function processesOf(url: string): WorkerProcess[] {
  return pids().flatMap((pid) => {
    const environment = environmentOf(pid);
    return environment['RUNPOD_WEBHOOK_GET_JOB']?.startsWith(`${url}/`) ? [{ pid, environment }] : [];
  });
}

/** The foreign workers of the platform at an address: the commands themselves, not their supervisors. */
export function foreignWorkers(url: string): WorkerProcess[] {
  return processesOf(url).filter(({ pid }) => read(pid, 'cmdline').endsWith(`${FOREIGN_COMMAND.at(-1)}\0`));
}

/** The running node agents of a home: none, or one. */
export function agentsOf(home: string): number[] {
  return pids().filter((pid) => {
    const words = read(pid, 'cmdline').split('\0');
    return words.includes('toolkit_sdk._agent') && words.some((word) => word.includes(`"${home}/`));
  });
}

/** The running processes that a process started. */
export function childrenOf(parent: number): number[] {
  return pids().filter((pid) => parentOf(pid) === parent);
}

/** Null when the process has ended. */
export function parentOf(pid: number): number | null {
  const text = read(pid, 'stat');
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' || state === 'Z' ? null : Number(parent);
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The environment that a process was started with; empty when it has ended. */
export function environmentOf(pid: number): Record<string, string> {
  const lines = read(pid, 'environ').split('\0').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

function read(pid: number, file: 'cmdline' | 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended since, or belongs to another user.
    return '';
  }
}
