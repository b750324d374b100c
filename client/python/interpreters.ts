/** Python interpreters on this machine: their paths, their versions, and whether they have toolkit_sdk. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const OLDEST_MINOR = 10;
const NEWEST_MINOR = 14;

/** The oldest Python that toolkit_sdk works with. */
export const OLDEST = `3.${OLDEST_MINOR}`;

/** In milliseconds. How long an interpreter can take to answer. */
const ANSWER_MS = 10_000;
const ASK_VERSION = 'import sys; print("%d.%d.%d" % sys.version_info[:3])';
/** Removes the working directory from `sys.path`: its modules would count as installed. */
const ASK_SDK =
  'import sys; sys.path = [p for p in sys.path if p]; import importlib.util as u; print(u.find_spec("toolkit_sdk") is not None)';

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

/** The interpreter of a virtual environment's folder; null for any other folder. */
export async function interpreterIn(folder: string): Promise<string | null> {
  if (!(await isFile(path.join(folder, 'pyvenv.cfg')))) return null;
  const file = isWindows ? path.join(folder, 'Scripts', 'python.exe') : path.join(folder, 'bin', 'python');
  return (await isFile(file)) ? file : null;
}

/** The virtual environments of a project. */
export async function environmentsIn(root: string): Promise<string[]> {
  const found = await Promise.all(['.venv', 'venv'].map((name) => interpreterIn(path.join(root, name))));
  return found.filter((file) => file !== null);
}

/** The folder of the virtual environment that an interpreter belongs to, or null. */
export async function environmentOf(python: string): Promise<string | null> {
  const folder = path.dirname(path.dirname(python));
  return (await isFile(path.join(folder, 'pyvenv.cfg'))) ? folder : null;
}

/** The interpreters on PATH. The one that a terminal would start comes first. */
export async function interpretersOnPath(): Promise<string[]> {
  const minors = Array.from({ length: NEWEST_MINOR - OLDEST_MINOR + 1 }, (_, at) => NEWEST_MINOR - at);
  const names = ['python3', 'python', ...minors.map((minor) => `python3.${minor}`)];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((one) => path.isAbsolute(one));
  const files = names.flatMap((name) =>
    folders.map((one) => path.join(one, isWindows ? `${name}.exe` : name)),
  );
  const found = await Promise.all(files.map(isExecutable));
  return files.filter((_, at) => found[at]);
}

/**
 * The version, such as `3.12.1`; null if it does not answer like an interpreter.
 *
 * @param cwd - The project's folder: the answer of a version manager depends on it.
 */
export async function versionOf(python: string, cwd: string): Promise<string | null> {
  const answer = await ask(python, ASK_VERSION, cwd);
  return answer !== null && /^\d+\.\d+\.\d+$/.test(answer) ? answer : null;
}

export function isSupported(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  return major === 3 && minor! >= OLDEST_MINOR;
}

/** Whether an interpreter has toolkit_sdk; null if unknown. For most virtual environments, it starts no interpreter. */
export async function hasSdk(python: string, cwd: string): Promise<boolean | null> {
  const folder = await environmentOf(python);
  const seen = folder === null ? null : await sdkIn(folder);
  if (seen !== null) return seen;
  const answer = await ask(python, ASK_SDK, cwd);
  return answer === 'True' ? true : answer === 'False' ? false : null;
}

/** Null if packages can also come from elsewhere. */
async function sdkIn(environment: string): Promise<boolean | null> {
  const libraries = (await namesIn(path.join(environment, 'lib'))).map((name) =>
    path.join(environment, 'lib', name, 'site-packages'),
  );
  const packages = [...libraries, path.join(environment, 'Lib', 'site-packages')];
  const names = (await Promise.all(packages.map(namesIn))).flat();
  if (names.includes('toolkit_sdk')) return true;
  const config = await readFile(path.join(environment, 'pyvenv.cfg'), 'utf8').catch(() => '');
  const isOpen = /^include-system-site-packages\s*=\s*true\s*$/im.test(config);
  // An editable installation has only a .pth file.
  const isDeveloped = names.some((name) => /^_{0,2}(editable_+)?.*toolkit_sdk.*\.pth$/.test(name));
  return isOpen || isDeveloped ? null : false;
}

async function ask(python: string, code: string, cwd: string): Promise<string | null> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  try {
    const { stdout } = await run(python, ['-c', code], { cwd, env, timeout: ANSWER_MS, windowsHide: true });
    return stdout.trim();
  } catch {
    // It is missing, too old to understand the question, or does not answer in time.
    return null;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => isFile(file),
    () => false,
  );
}
