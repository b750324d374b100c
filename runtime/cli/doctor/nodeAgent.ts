/** What the node agent can do for workers on this machine, as its own trials find it. */
import { existsSync } from 'node:fs';
import { sdkWheel } from '../../build/code/sdkCopy.ts';
import { findPython } from '../../build/dependencies/interpreter.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { type Check, fine, type Surroundings } from './check.ts';
import { tryTool } from './tryTool.ts';

const UNKNOWN = 'unknown: no Python could try it';

/** Whether functions see TOOLKIT_HOME, with the owner's key in it. */
export const hiding: Check = async (surroundings) => {
  const { toolkitHome } = surroundings.settings;
  if (!existsSync(toolkitHome)) return fine('hiding', `unknown until ${toolkitHome} exists`);
  const way = await trial(surroundings, 'hiding', toolkitHome);
  if (way === null) return fine('hiding', UNKNOWN);
  const told =
    way === 'none'
      ? `functions can read ${toolkitHome}: neither a mount namespace nor Landlock can hide it here`
      : `functions do not see ${toolkitHome} (${way})`;
  return fine('hiding', told);
};

/** What keeps workers to the memory of their cpu form. */
export const memory: Check = async (surroundings) => {
  const way = await trial(surroundings, 'cgroups');
  if (way === null) return fine('memory', UNKNOWN);
  const told =
    way === 'cgroup'
      ? 'the kernel keeps workers to their memory (cgroup v2)'
      : 'the memory of workers is watched: no cgroup v2 with the memory controller can be written here';
  return fine('memory', told);
};

/** The output of a module of the agent; null where it cannot be run. */
async function trial(surroundings: Surroundings, module: string, ...args: string[]): Promise<string | null> {
  const { settings, python: target, env, signal } = surroundings;
  const { toolkitHome } = settings;
  try {
    const python = await findPython({ target, toolkitHome, env, signal });
    const environment = { ...surroundings, env: { ...env, PYTHONPATH: sdkWheel() } };
    const run = await tryTool(python.path, ['-m', `toolkit_sdk._agent.${module}`, ...args], environment);
    return run && run.stdout.trim();
  } catch (error) {
    // A Python that is missing is a finding of its own.
    if (!(error instanceof ToolkitError) || signal.aborted) throw error;
    return null;
  }
}
