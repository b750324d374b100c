/** Finds the Python interpreter of a build. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { interpreterVersion } from './interpreterVersion.ts';

/** An interpreter on this machine. `version` is its minor version, such as `3.11`. */
export interface Interpreter {
  path: string;
  version: string;
}

const OLDEST_MINOR = 10;
const NEWEST_MINOR = 14;
/** The editor passes the interpreter from its setting in TOOLKIT_PYTHON. */
const NAME_ANOTHER = `Set TOOLKIT_PYTHON to the path of Python 3.${OLDEST_MINOR} or newer; in the editor, change the setting toolkit.python.`;

/**
 * Finds an interpreter: TOOLKIT_PYTHON, else `python3.X` of the target, else `python3` or `python` on PATH.
 *
 * @param target Preferred minor version. Returns an interpreter of another version if there is none.
 * @throws ToolkitError PYTHON_NOT_FOUND if there is none of 3.10 or newer.
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
    const version = isExecutable(file) ? await interpreterVersion(file, options) : null;
    if (version === null)
      throw notFound(`TOOLKIT_PYTHON is ${named}, which is not a Python interpreter.`, NAME_ANOTHER);
    if (!isSupported(version))
      throw notFound(
        `TOOLKIT_PYTHON is ${named}, which is Python ${version}; 3.${OLDEST_MINOR} or newer is required.`,
        NAME_ANOTHER,
      );
    return { path: file, version };
  }
  const others = Array.from(
    { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
    (_, index) => `python3.${NEWEST_MINOR - index}`,
  );
  for (const name of [...(target ? [`python${target}`] : []), 'python3', 'python', ...others]) {
    for (const file of onPath(name, env)) {
      const version = await interpreterVersion(file, options);
      if (version !== null && isSupported(version)) return { path: file, version };
    }
  }
  throw notFound(`No Python 3.${OLDEST_MINOR} or newer was found on PATH.`);
}

/** Executable files with this name, in the order of PATH. */
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
