/**
 * The project's Python → the folders of its installed packages. Only reads files: no interpreter is started.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_FILES } from '../../contract/names.ts';

/** Where to look for an interpreter. */
export interface InterpreterSearch {
  /** The project's root. */
  root: string;
  /** An interpreter, or the folder of a virtual environment, that takes precedence over all others. */
  python?: string | null | undefined;
  env: NodeJS.ProcessEnv;
}

/** Names of a virtual environment's folder inside a project. */
const VIRTUAL_ENVIRONMENTS = ['.venv', 'venv', 'env', '.env'];

/**
 * The package folders of the first of these that has any: the given interpreter, TOOLKIT_PYTHON, VIRTUAL_ENV,
 * the project's own virtual environment, or a Python on PATH. Empty when none is known.
 */
export function interpreterFolders({ root, python, env }: InterpreterSearch): string[] {
  for (const named of [python, env.TOOLKIT_PYTHON, env.VIRTUAL_ENV]) {
    if (!named) continue;
    const at = named.includes(path.sep) || named.includes('/') ? path.resolve(root, named) : named;
    const found = isFolder(at) ? packageFolders(at, null) : executables([at], env).flatMap(ofExecutable);
    if (found.length > 0) return found;
  }
  for (const name of VIRTUAL_ENVIRONMENTS) {
    const folder = path.join(root, name);
    if (readText(path.join(folder, 'pyvenv.cfg')) === null) continue;
    const found = packageFolders(folder, null);
    if (found.length > 0) return found;
  }
  for (const file of executables(['python3', 'python'], env)) {
    const chosen = throughShim(file, root, env);
    const found = chosen === null ? ofExecutable(file) : packageFolders(chosen, null);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * `prefix/bin/python3.11` → the package folders of `prefix`. The link in a virtual environment is not
 * followed.
 */
function ofExecutable(file: string): string[] {
  const prefix = prefixOf(file);
  if (readText(path.join(prefix, 'pyvenv.cfg')) !== null) return packageFolders(prefix, null);
  let real = file;
  try {
    real = realpathSync(file);
  } catch {
    return [];
  }
  const version = /python(3\.\d+)(?:\.exe)?$/.exec(real)?.[1] ?? null;
  return packageFolders(prefixOf(real), version);
}

function prefixOf(executable: string): string {
  const folder = path.dirname(executable);
  return /^(?:bin|scripts)$/i.test(path.basename(folder)) ? path.dirname(folder) : folder;
}

/**
 * The package folders that exist in a prefix.
 *
 * @param version - Minor version such as `3.11`; null for all versions in the prefix.
 */
function packageFolders(prefix: string, version: string | null): string[] {
  const config = readText(path.join(prefix, 'pyvenv.cfg'));
  const own = /^version(?:_info)?\s*=\s*(3\.\d+)/m.exec(config ?? '')?.[1] ?? version;
  const found = ['lib', 'lib64', path.join('local', 'lib')].flatMap((library) => {
    const folder = path.join(prefix, library);
    return namesIn(folder)
      .filter((name) => (own === null ? /^python3\.\d+$/.test(name) : name === `python${own}`))
      .concat(namesIn(folder).includes('python3') ? ['python3'] : [])
      .flatMap((name) => ['site-packages', 'dist-packages'].map((last) => path.join(folder, name, last)));
  });
  const windows = path.join(prefix, 'Lib', 'site-packages');
  const here = distinct([...found, windows].filter(isFolder));
  const home = /^home\s*=\s*(.+)$/m.exec(config ?? '')?.[1]?.trim();
  const isOpen = /^include-system-site-packages\s*=\s*true\s*$/im.test(config ?? '');
  if (!isOpen || home === undefined) return here;
  return distinct([...here, ...packageFolders(prefixOf(path.join(home, 'python3')), own)]);
}

/**
 * The prefix that a pyenv shim selects; null when the file is not a shim or the selected version is not
 * installed.
 */
function throughShim(file: string, root: string, env: NodeJS.ProcessEnv): string | null {
  const folder = path.dirname(file);
  if (path.basename(folder) !== 'shims') return null;
  const home = path.dirname(folder);
  const asked = [env.PYENV_VERSION, versionFile(root), readText(path.join(home, 'version'))];
  const wanted = asked
    .find((text) => text?.trim())
    ?.trim()
    .split(/[\s:]+/)[0];
  if (wanted === undefined) return null;
  const versions = namesIn(path.join(home, 'versions'));
  const name = versions.includes(wanted) ? wanted : versions.findLast((one) => one.startsWith(`${wanted}.`));
  return name === undefined ? null : path.join(home, 'versions', name);
}

/** The `.python-version` file of a folder, or of the nearest folder above it that has one. */
function versionFile(folder: string): string | null {
  const text = readText(path.join(folder, PROJECT_FILES.pythonVersion));
  const parent = path.dirname(folder);
  return text ?? (parent === folder ? null : versionFile(parent));
}

function executables(names: readonly string[], { PATH = '' }: NodeJS.ProcessEnv): string[] {
  const folders = PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return names.flatMap((name) =>
    (path.isAbsolute(name) ? [name] : folders.map((folder) => path.join(folder, name))).filter(isFile),
  );
}

/** Removes duplicate folders: Debian and Fedora link some of them to each other. */
function distinct(folders: readonly string[]): string[] {
  const byPlace = new Map(folders.toReversed().map((folder) => [realpathSync(folder), folder]));
  return [...byPlace.values()].toReversed();
}

function isFolder(folder: string): boolean {
  return statOf(folder)?.isDirectory() ?? false;
}

function isFile(file: string): boolean {
  return statOf(file)?.isFile() ?? false;
}

/** Null when the path does not exist or is not accessible; no packages can be read from it. */
function statOf(file: string) {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // As above.
    return [];
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // As above.
    return null;
  }
}
