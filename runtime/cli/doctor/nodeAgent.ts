/** Checks what the node agent can do for workers on this machine, with the agent's own tests. */
import { existsSync } from 'node:fs';
import { sdkWheel } from '../../build/code/sdkCopy.ts';
import { findPython } from '../../build/dependencies/interpreter.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { type Check, fine, type Surroundings } from './check.ts';
import { tryTool } from './tryTool.ts';

const UNKNOWN = 'unknown: no Python found to test it';

/** Whether functions can see TOOLKIT_HOME, which holds the owner's key. */
export const hiding: Check = async (surroundings) => {
  const { toolkitHome } = surroundings.settings;
  if (!existsSync(toolkitHome)) return fine('hiding', `unknown until ${toolkitHome} exists`);
  const way = await trial(surroundings, 'hiding', toolkitHome);
  if (way === null) return fine('hiding', UNKNOWN);
  const detail =
    way === 'none'
      ? `functions can read ${toolkitHome}: neither a mount namespace nor Landlock can hide it here`
      : `functions cannot see ${toolkitHome} (${way})`;
  return fine('hiding', detail);
};

/** What limits workers to the memory of their CPU type. */
export const memory: Check = async (surroundings) => {
  const way = await trial(surroundings, 'cgroups');
  if (way === null) return fine('memory', UNKNOWN);
  const detail =
    way === 'cgroup'
      ? "the kernel limits workers' memory (cgroup v2)"
      : "workers' memory is polled: no writable cgroup v2 with the memory controller here";
  return fine('memory', detail);
};

/** The output of a module of the agent; null if it cannot be run. */
async function trial(surroundings: Surroundings, module: string, ...args: string[]): Promise<string | null> {
  const { settings, target, env, signal } = surroundings;
  const { toolkitHome } = settings;
  try {
    const python = await findPython({ target, toolkitHome, env, signal });
    const environment = { ...surroundings, env: { ...env, PYTHONPATH: sdkWheel() } };
    const run = await tryTool(python.path, ['-m', `toolkit_sdk._agent.${module}`, ...args], environment);
    return run && run.stdout.trim();
  } catch (error) {
    // A missing Python is reported by its own check.
    if (!(error instanceof ToolkitError) || signal.aborted) throw error;
    return null;
  }
}
