/** The version of an interpreter, cached in TOOLKIT_HOME: starting Python takes 20 ms, through a version manager 150 ms. */
import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HOME_FILES } from '../../contract/stateManager.ts';
import { fileStamp } from '../../source/fileStamp.ts';
import { makeFolder } from '../fileErrors.ts';
import { runTool } from '../runTool.ts';

interface VersionOptions {
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

const CACHE_FILE = 'interpreters.json';
/** Number of cached versions; the oldest are dropped. Each change of a version file adds one. */
const CACHE_SIZE = 200;
const PRINT_VERSION = 'import sys; print("%d.%d" % sys.version_info[:2])';
/** The folder in which pyenv, asdf and mise keep the scripts that they put on PATH. */
const SHIMS_DIR = 'shims';
/** Files by which version managers choose a version, in the current folder, its parents and the home folder. */
const VERSION_FILES = [
  '.python-version',
  '.tool-versions',
  'mise.toml',
  '.mise.toml',
  'mise.local.toml',
  '.config/mise/config.toml',
];
/** Installed versions and the global choice, relative to the folder that contains the shims folder. */
const MANAGER_FILES = ['version', 'versions', 'installs/python'];
const MANAGER_VARIABLE = /^(?:PYENV|ASDF|MISE)_/;

/**
 * The minor version of an interpreter, such as `3.11`.
 *
 * @param file An executable file.
 * @returns null if it does not behave like Python.
 */
export async function interpreterVersion(file: string, options: VersionOptions): Promise<string | null> {
  const key = cacheKey(file, options.env);
  if (key === null) return readVersion(file, options);
  const cacheFile = path.join(options.toolkitHome, HOME_FILES.cache, CACHE_FILE);
  const known = await readCache(cacheFile);
  if (known[key]) return known[key];
  const version = await readVersion(file, options);
  if (version !== null) await writeCache(cacheFile, { ...known, [key]: version });
  return version;
}

/**
 * The cache key: everything that the version depends on. For a program that is the file; for a version manager's script also
 * the files and variables that it reads.
 *
 * @returns null for any other script, since it is not known what it starts.
 */
function cacheKey(file: string, env: NodeJS.ProcessEnv): string | null {
  const own = `${file} ${fileStamp(file)}`;
  if (!isScript(file)) return own;
  const folder = path.dirname(file);
  if (path.basename(folder) !== SHIMS_DIR) return null;
  const folders = [...withParents(process.cwd()), env.HOME ?? os.homedir()];
  const files = [
    ...folders.flatMap((one) => VERSION_FILES.map((name) => path.join(one, name))),
    ...MANAGER_FILES.map((name) => path.join(path.dirname(folder), name)),
  ];
  const variables = Object.entries(env).filter(([name]) => MANAGER_VARIABLE.test(name));
  const inputs = [files.map((one) => [one, fileStamp(one)]), variables.sort()];
  return `${own} ${hash('sha256', JSON.stringify(inputs))}`;
}

function withParents(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

async function readVersion(file: string, options: VersionOptions): Promise<string | null> {
  try {
    const run = await runTool(file, ['-I', '-c', PRINT_VERSION], options);
    return run.code === 0 && /^\d+\.\d+$/.test(run.stdout.trim()) ? run.stdout.trim() : null;
  } catch (error) {
    if (options.signal.aborted) throw error;
    return null;
  }
}

function isScript(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(2);
    readSync(descriptor, head, 0, 2, 0);
    return head.toString('latin1') === '#!';
  } finally {
    closeSync(descriptor);
  }
}

async function readCache(file: string): Promise<Record<string, string>> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    // A missing or damaged cache is ignored.
    return {};
  }
}

async function writeCache(file: string, known: Record<string, string>): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await makeFolder(path.dirname(file));
    const newest = Object.fromEntries(Object.entries(known).slice(-CACHE_SIZE));
    await writeFile(temporary, JSON.stringify(newest));
    await rename(temporary, file);
  } catch {
    // If TOOLKIT_HOME is not writable, a later step that needs it reports that.
  }
}
