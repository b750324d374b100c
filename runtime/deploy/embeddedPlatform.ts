/** Finds the embedded platform by its record in TOOLKIT_HOME, starts it as a child process, and stops it by signal. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../contract/errors.ts';
import type { PlatformOptions, PlatformStartMessage } from '../contract/platformOptions.ts';
import {
  API_VERSION,
  HOME_FILES,
  type PlatformIdentity,
  type PlatformRecord,
} from '../contract/stateManager.ts';
import { distFile } from '../source/assets.ts';

/** A port without a platform refuses at once, but a platform on a busy machine can take seconds to respond. */
const ANSWER_MS = 10_000;
const START_MS = 30_000;
/** Longer than the grace period that the platform gives its workers. */
const STOP_MS = 25_000;
/**
 * Flags for a process that is idle most of the time (docs/decisions/41-memory-of-the-platform.md).
 *
 * - V8's first limit of the old generation, MB per thread. Its default is hundreds, and until the limit is reached the
 *   garbage of every job stays. After the first collection, V8 sets the limit from what is still in use.
 * - The limit of each half of the young generation, MB. Its default is 64, and V8 seldom gives back what it has grown
 *   to. With less than 16, batches of jobs are slower by a quarter.
 * - One thread for V8's background work instead of four. Each keeps memory of its own.
 */
const NODE_FLAGS = ['--initial-old-space-size=16', '--max-semi-space-size=16', '--v8-pool-size=1'];
/** One heap of the C library for all threads: each further one keeps freed memory that the others cannot use. */
const ALLOCATOR_SETTINGS = { MALLOC_ARENA_MAX: '1' };

/** The recorded platform, if it responds at its address. An existing pid is no proof: it can be another process. */
export async function findPlatform(home: string): Promise<PlatformRecord | null> {
  const record = readRecord(home);
  return record && (await answers(record)) ? record : null;
}

function readRecord(home: string): PlatformRecord | null {
  try {
    return JSON.parse(readFileSync(path.join(home, HOME_FILES.record), 'utf8')) as PlatformRecord;
  } catch {
    // Missing, or truncated by a crash: there is no platform to find.
    return null;
  }
}

async function answers(record: PlatformRecord): Promise<boolean> {
  try {
    const response = await fetch(`${record.url}/`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const identity = (await response.json()) as Partial<PlatformIdentity>;
    return identity.service === 'toolkit-platform' && identity.instance === record.instance;
  } catch {
    return false;
  }
}

/**
 * Finds the embedded platform or starts it. An older one is replaced.
 *
 * @param note Called with one sentence on what is started or replaced.
 */
export async function ensurePlatform(
  options: PlatformOptions,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<PlatformRecord> {
  const found = await findPlatform(options.home);
  if (found && found.apiVersion === API_VERSION) return found;
  if (found && found.apiVersion > API_VERSION) {
    throw new ToolkitError(
      'PLATFORM_NEWER',
      `The running platform (${found.version}) is newer than this toolkit (${options.version}).`,
      {
        hint: 'Use the newer toolkit, or set TOOLKIT_HOME to another folder.',
      },
    );
  }
  if (found) {
    note(
      `Replacing the embedded platform ${found.version} with ${options.version}; endpoints stay deployed.`,
    );
    await stopPlatform(options.home);
  }
  const record = await startPlatform(options, signal);
  note(`Started the embedded platform at ${record.url} (stop it with "toolkit platform stop").`);
  return record;
}

async function startPlatform(options: PlatformOptions, signal: AbortSignal): Promise<PlatformRecord> {
  const platformDir = path.join(options.home, HOME_FILES.platformDir);
  mkdirSync(platformDir, { recursive: true, mode: 0o700 });
  const log = openSync(path.join(options.home, HOME_FILES.platformLog), 'a', 0o600);
  const script = distFile('platform.js');
  if (!existsSync(script)) {
    throw new ToolkitError('PLATFORM_START_FAILED', `The platform's program ${script} is missing.`, {
      hint: 'Install the toolkit again. In a checkout of its source, run "npm run build".',
    });
  }
  // Detached, so that it survives the terminal. Its output goes to its log.
  const child = spawn(process.execPath, [...NODE_FLAGS, script, JSON.stringify(options)], {
    cwd: options.home,
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: platformEnvironment(),
  });
  closeSync(log);
  try {
    const message = await firstMessage(child, signal);
    if (message.type === 'failed') {
      throw new ToolkitError(message.error.code, message.error.message, { hint: message.error.hint });
    }
    return message.record;
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/**
 * The platform outlives this command, so variables of the command's project and key are removed. An editor's own
 * runtime (Electron) only runs as Node if ELECTRON_RUN_AS_NODE is set.
 */
function platformEnvironment(): NodeJS.ProcessEnv {
  const { PLATFORM_API_KEY, PLATFORM_API_URL, TOOLKIT_APP, TOOLKIT_ENV, ...rest } = process.env;
  const settings = { ...rest, ...ALLOCATOR_SETTINGS };
  return process.versions['electron'] ? { ...settings, ELECTRON_RUN_AS_NODE: '1' } : settings;
}

function firstMessage(child: ReturnType<typeof spawn>, signal: AbortSignal): Promise<PlatformStartMessage> {
  const failed = (detail: string): ToolkitError =>
    new ToolkitError('PLATFORM_START_FAILED', `The embedded platform did not start: ${detail}.`, {
      hint: `See the platform log: ${HOME_FILES.platformLog} in TOOLKIT_HOME.`,
    });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failed('no response in 30 s')), START_MS);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      act();
    };
    const onAbort = (): void => {
      child.kill('SIGTERM');
      settle(() => reject(signal.reason));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    child.once('message', (message) => settle(() => resolve(message as PlatformStartMessage)));
    child.once('error', (error) => settle(() => reject(failed(error.message))));
    child.once('exit', (code, by) =>
      settle(() => reject(failed(by ? `ended by ${by}` : `exit code ${code}`))),
    );
  });
}

/**
 * Stops the embedded platform and its workers.
 *
 * @returns The record of what was stopped; null when none was running.
 */
export async function stopPlatform(home: string): Promise<PlatformRecord | null> {
  const record = await findPlatform(home);
  if (!record) return null;
  process.kill(record.pid, 'SIGTERM');
  const deadline = Date.now() + STOP_MS;
  while (Date.now() < deadline) {
    if (!isAlive(record.pid)) return record;
    await sleep(25);
  }
  throw new ToolkitError(
    'PLATFORM_FAILED',
    `The platform (pid ${record.pid}) did not stop within ${STOP_MS / 1000} s.`,
    {
      hint: `Read ${path.join(home, HOME_FILES.platformLog)}, then run "kill -9 ${record.pid}".`,
    },
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
