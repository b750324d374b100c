/** Finds the Python interpreter of a build. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { TargetPython } from '../../source/reading.ts';
import { allowsPython, SUPPORTED_PYTHONS } from '../../source/requiresPython.ts';
import { interpreterVersion } from './interpreterVersion.ts';

/** An interpreter on this machine. `version` is its minor version, such as `3.11`. */
export interface Interpreter {
  path: string;
  version: string;
}

const OLDEST = SUPPORTED_PYTHONS[0]!;
const OLDEST_OR_NEWER = `${OLDEST} or newer`;
/** The editor passes the interpreter from its setting in TOOLKIT_PYTHON. */
const nameAnother = (version: string) =>
  `Set TOOLKIT_PYTHON to the path of Python ${version}; in the editor, change the setting toolkit.python.`;

/**
 * Finds an interpreter: TOOLKIT_PYTHON, else `python3.X` of the target, else `python3` or `python` on PATH. If the project
 * chooses a version, an interpreter of another version is returned when there is none of that one.
 *
 * @throws ToolkitError PYTHON_NOT_FOUND if there is none of 3.10 or newer, or none that the project allows.
 */
export async function findPython(options: {
  target: TargetPython;
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}): Promise<Interpreter> {
  const { target, env } = options;
  const { python: chosen } = target;
  const required = chosen === null ? target.requiresPython : null;
  const fitting = SUPPORTED_PYTHONS.find((minor) => allowsPython(required, minor)) ?? OLDEST_OR_NEWER;
  const named = env.TOOLKIT_PYTHON;
  if (named) {
    const file = named.includes(path.sep) ? named : (onPath(named, env)[0] ?? named);
    const version = isExecutable(file) ? await interpreterVersion(file, options) : null;
    if (version === null)
      throw notFound(
        `TOOLKIT_PYTHON is ${named}, which is not a Python interpreter.`,
        nameAnother(OLDEST_OR_NEWER),
      );
    if (!isSupported(version))
      throw notFound(
        `TOOLKIT_PYTHON is ${named}, which is Python ${version}; ${OLDEST_OR_NEWER} is required.`,
        nameAnother(OLDEST_OR_NEWER),
      );
    if (!allowsPython(required, version))
      throw notFound(
        `TOOLKIT_PYTHON is ${named}, which is Python ${version}, ${butRequired(required)}.`,
        nameAnother(fitting),
      );
    return { path: file, version };
  }
  const others = SUPPORTED_PYTHONS.map((minor) => `python${minor}`).toReversed();
  let refused: Interpreter | null = null;
  for (const name of [...(chosen ? [`python${chosen}`] : []), 'python3', 'python', ...others]) {
    for (const file of onPath(name, env)) {
      const version = await interpreterVersion(file, options);
      if (version === null || !isSupported(version)) continue;
      if (allowsPython(required, version)) return { path: file, version };
      refused ??= { path: file, version };
    }
  }
  if (refused) {
    throw notFound(
      `${refused.path} is Python ${refused.version}, ${butRequired(required)}.`,
      `Install Python ${fitting}, or set TOOLKIT_PYTHON to its path. Or set python = "${fitting}" under [tool.toolkit]: the build then does not need that version on this machine.`,
    );
  }
  throw notFound(`No Python ${OLDEST_OR_NEWER} was found on PATH.`);
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
  return major === 3 && minor !== undefined && minor >= Number(OLDEST.slice(2));
}

function butRequired(specifier: string | null): string {
  return `but requires-python in ${PROJECT_FILES.pyproject} is "${specifier}"`;
}

function notFound(
  message: string,
  hint = `Install Python ${OLDEST_OR_NEWER}, or set TOOLKIT_PYTHON to its path.`,
): ToolkitError {
  return new ToolkitError('PYTHON_NOT_FOUND', message, { hint });
}
