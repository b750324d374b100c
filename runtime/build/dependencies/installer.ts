/** Finds uv, or installs it once in TOOLKIT_HOME with the pip of the user's Python. */

import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { satisfies } from '@renovatebot/pep440';
import { ToolkitError } from '../../contract/errors.ts';
import type { ReportProgress } from '../../contract/progress.ts';
import { HOME_FILES } from '../../contract/stateManager.ts';
import { asWriteError, makeFolder, systemCode } from '../fileErrors.ts';
import { isAlive } from '../leftovers.ts';
import { runTool } from '../runTool.ts';
import { type Interpreter, onPath } from './interpreter.ts';

interface InstallerOptions {
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  report: ReportProgress;
}

/** The version of uv to install. It is pinned because uv's output and messages differ between versions. */
export const UV_VERSION = '0.13.9';
/**
 * The first version of uv that computes hashes which the index does not state, for wheels of `--find-links` and of some indexes
 * (astral-sh/uv#20146). A lock needs them.
 */
export const OLDEST_UV = '0.12.11';
/** A lock older than this many milliseconds was left by an installation that died. */
const STALE_LOCK = 5 * 60_000;
const LOCK_WAIT = 200;

/** Path of the toolkit's own uv, whether or not it is installed. */
export function ownUv(toolkitHome: string): string {
  return path.join(toolkitHome, HOME_FILES.cache, 'uv', 'bin', 'uv');
}

/** The path of an installed uv that can resolve; null if there is none. */
export async function installedUv(options: InstallerOptions): Promise<string | null> {
  const own = ownUv(options.toolkitHome);
  if (await isUsable(own, options)) return own;
  for (const file of onPath('uv', options.env)) if (await isUsable(file, options)) return file;
  return null;
}

/**
 * The path of a uv that can resolve. Installs it if there is none.
 *
 * @param python Called only if uv must be installed.
 * @throws ToolkitError INSTALLER_MISSING
 */
export async function findUv(options: InstallerOptions, python: () => Promise<Interpreter>): Promise<string> {
  const installed = await installedUv(options);
  if (installed !== null) return installed;
  const own = ownUv(options.toolkitHome);
  await installUv(own, await python(), options);
  return own;
}

/** Whether the program exists, runs on this machine and is new enough. */
async function isUsable(file: string, options: InstallerOptions): Promise<boolean> {
  if (!existsSync(file)) return false;
  const { stdout } = await runTool(file, ['--version'], options).catch((error: unknown) => {
    // A damaged file, or the program of another machine.
    if (options.signal.aborted || systemCode(error) === null) throw error;
    return { stdout: '' };
  });
  return canLock(stdout);
}

/** Whether a uv can write locks, by what `uv --version` prints. */
export function canLock(printed: string): boolean {
  const version = /^uv (\d+\.\d+\.\d+)/.exec(printed)?.[1];
  return version !== undefined && satisfies(version, `>=${OLDEST_UV}`);
}

async function installUv(own: string, python: Interpreter, options: InstallerOptions): Promise<void> {
  const folder = path.dirname(path.dirname(own));
  const lock = `${folder}.lock`;
  const temporary = `${folder}.${process.pid}.tmp`;
  await takeLock(lock, options.signal);
  try {
    if (await isUsable(own, options)) return;
    options.report({ type: 'step', message: 'Installing uv in TOOLKIT_HOME' });
    const args = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      // Without a network, pip's default of five retries takes half a minute.
      '--retries',
      '1',
      '--target',
      temporary,
      `uv==${UV_VERSION}`,
    ];
    const run = await runTool(python.path, args, options);
    if (run.code !== 0) throw notInstalled(python, run.stderr);
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await rm(lock, { recursive: true, force: true });
  }
}

/** Takes the lock by creating a folder, which only one process can do. */
async function takeLock(lock: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await makeFolder(path.dirname(lock));
      await mkdir(lock);
      await writeFile(path.join(lock, String(process.pid)), '');
      return;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw asWriteError(error, lock);
    }
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    const [holder] = await readdir(lock).catch(() => []);
    const isAbandoned = holder !== undefined && !isAlive(Number(holder));
    if (isAbandoned || age > STALE_LOCK) await rm(lock, { recursive: true, force: true });
    else await sleep(LOCK_WAIT, undefined, { signal });
  }
}

function notInstalled(python: Interpreter, stderr: string): ToolkitError {
  const newEnough = `uv ${OLDEST_UV} or newer (docs.astral.sh/uv)`;
  const failed = (why: string, hint: string) =>
    new ToolkitError(
      'INSTALLER_MISSING',
      `uv, which resolves dependencies, could not be installed with ${python.path}: ${why}`,
      { hint, cause: new Error(stderr.slice(-2_000)) },
    );
  if (/No module named pip/.test(stderr)) {
    return failed('this Python has no pip.', `Install ${newEnough}, or install pip for this Python.`);
  }
  if (/No space left on device/.test(stderr)) {
    return failed('the disk is full.', 'Free some space, then try again.');
  }
  if (/ConnectionError|Temporary failure/.test(stderr)) {
    return failed(
      'the package index cannot be reached.',
      `Check your network connection and try again, or install ${newEnough}.`,
    );
  }
  const isLacking = /Could not find a version/.test(stderr);
  return failed(isLacking ? 'the package index does not have uv.' : 'pip failed.', `Install ${newEnough}.`);
}
