/** Finds the Python that builds are made for, and remembers versions, since starting Python costs 20 ms and more. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { HOME_FILES } from '../../contract/stateManager.ts';
import { makeFolder } from '../fileErrors.ts';
import { runTool } from '../runTool.ts';

/** An interpreter on this machine; `version` is its minor version, such as `3.11`. */
export interface Interpreter {
  path: string;
  version: string;
}

const OLDEST_MINOR = 10;
const NEWEST_MINOR = 14;
const CACHE_FILE = 'interpreters.json';
/** The editor passes the interpreter of its setting in TOOLKIT_PYTHON. */
const NAME_ANOTHER = `Set TOOLKIT_PYTHON to the path of Python 3.${OLDEST_MINOR} or newer; in the editor, change the setting toolkit.python.`;
const ASK_VERSION = 'import sys; print("%d.%d" % sys.version_info[:2])';

/**
 * Finds an interpreter: TOOLKIT_PYTHON, else `python3.X` of the target, else `python3` or `python` on PATH.
 *
 * @param target Minor version that is wished for; another one is taken when it is not there.
 * @throws ToolkitError PYTHON_NOT_FOUND when there is none from 3.10 on.
 */
export async function findPython(options: {
  target: string | null;
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}): Promise<Interpreter> {
  const { target, env } = options;
  const named = env.TOOLKIT_PYTHON;
  if (named) {
    const file = named.includes(path.sep) ? named : (onPath(named, env)[0] ?? named);
    const version = await versionOf(file, options);
    if (version === null)
      throw notFound(`TOOLKIT_PYTHON names ${named}, which is not a Python interpreter.`, NAME_ANOTHER);
    if (!isSupported(version))
      throw notFound(`TOOLKIT_PYTHON names Python ${version}, which is too old.`, NAME_ANOTHER);
    return { path: file, version };
  }
  const others = Array.from(
    { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
    (_, index) => `python3.${NEWEST_MINOR - index}`,
  );
  for (const name of [...(target ? [`python${target}`] : []), 'python3', 'python', ...others]) {
    for (const file of onPath(name, env)) {
      const version = await versionOf(file, options);
      if (version !== null && isSupported(version)) return { path: file, version };
    }
  }
  throw notFound('No Python interpreter was found on PATH.');
}

/** Executable files of a name, in the order of PATH. */
export function onPath(name: string, env: NodeJS.ProcessEnv): string[] {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).filter(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Minor version of an interpreter, null when it does not answer as one. */
async function versionOf(
  file: string,
  options: { toolkitHome: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string | null> {
  if (!isExecutable(file)) return null;
  const { mtimeMs, size } = statSync(file);
  const key = `${file} ${mtimeMs} ${size}`;
  const cacheFile = path.join(options.toolkitHome, HOME_FILES.cache, CACHE_FILE);
  // A script on PATH (a version manager's) may answer otherwise from another folder: only programs are remembered.
  const isRemembered = !isScript(file);
  const known = isRemembered ? await readCache(cacheFile) : {};
  if (known[key]) return known[key];
  const version = await askVersion(file, options);
  if (version !== null && isRemembered) await writeCache(cacheFile, { ...known, [key]: version });
  return version;
}

async function askVersion(
  file: string,
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string | null> {
  try {
    const run = await runTool(file, ['-I', '-c', ASK_VERSION], options);
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
    // Only a memory: whatever is wrong with it, the interpreter is asked again.
    return {};
  }
}

async function writeCache(file: string, known: Record<string, string>): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await makeFolder(path.dirname(file));
    await writeFile(temporary, JSON.stringify(known));
    await rename(temporary, file);
  } catch {
    // A home that cannot be written fails later, where it matters, with its name.
  }
}

function isSupported(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  return major === 3 && minor !== undefined && minor >= OLDEST_MINOR;
}

function notFound(
  message: string,
  hint = `Install Python 3.${OLDEST_MINOR} or newer, or set TOOLKIT_PYTHON to the path of one.`,
): ToolkitError {
  return new ToolkitError('PYTHON_NOT_FOUND', message, { hint });
}
