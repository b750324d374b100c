/** Checks the tools of builds and workers: a Python of the project's version, and uv. */
import { existsSync } from 'node:fs';
import { canLock, OLDEST_UV, ownUv } from '../../build/dependencies/installer.ts';
import { findPython, onPath } from '../../build/dependencies/interpreter.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { type Check, fine, wrong } from './check.ts';
import { tryTool } from './tryTool.ts';

export const python: Check = async ({ settings, target, env, signal }) => {
  try {
    const found = await findPython({ target, toolkitHome: settings.toolkitHome, env, signal });
    const detail = `${found.version} (${found.path})`;
    if (target.python === null || found.version === target.python) return fine('python', detail);
    return wrong(
      'python',
      `${detail}, but the project targets Python ${target.python}`,
      `Install Python ${target.python}, or set TOOLKIT_PYTHON to one: the embedded platform runs your code with it.`,
    );
  } catch (error) {
    if (!(error instanceof ToolkitError) || signal.aborted) throw error;
    return wrong('python', error.message, error.hint ?? 'Install Python 3.10 or newer.');
  }
};

export const uv: Check = async (surroundings) => {
  const { settings, env } = surroundings;
  const own = ownUv(settings.toolkitHome);
  const tools = [...(existsSync(own) ? [own] : []), ...onPath('uv', env)];
  const tried = await Promise.all(
    tools.map(async (tool) => ({
      tool,
      printed: (await tryTool(tool, ['--version'], surroundings))?.stdout,
    })),
  );
  const [first] = tried;
  if (!first)
    return fine('uv', 'not installed yet; the first build with dependencies installs it into TOOLKIT_HOME');
  const { tool, printed } = tried.find((one) => canLock(one.printed ?? '')) ?? first;
  if (printed === undefined)
    return wrong('uv', `${tool} does not start`, `Remove ${tool}; the next build installs it again.`);
  const found = `${printed.trim().split('\n')[0]} (${tool})`;
  const instead = `older than ${OLDEST_UV}; the first build with dependencies installs another uv into TOOLKIT_HOME`;
  return fine('uv', canLock(printed) ? found : `${found} is ${instead}`);
};
