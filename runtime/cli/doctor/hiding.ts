/** Whether functions on this machine see TOOLKIT_HOME, with the owner's key in it: the node agent's own trial. */
import { existsSync } from 'node:fs';
import { sdkWheel } from '../../build/code/sdkCopy.ts';
import { findPython } from '../../build/dependencies/interpreter.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { type Check, fine, type Surroundings } from './check.ts';
import { tryTool } from './tryTool.ts';

const NAME = 'hiding';

export const hiding: Check = async (surroundings) => {
  const { toolkitHome } = surroundings.settings;
  if (!existsSync(toolkitHome)) return fine(NAME, `told once there is ${toolkitHome}`);
  const way = await wayOf(surroundings);
  if (way === null) return fine(NAME, 'not known: no Python could try it');
  return way === 'none'
    ? fine(NAME, `functions can read ${toolkitHome}: neither a mount namespace nor Landlock can hide it here`)
    : fine(NAME, `functions do not see ${toolkitHome} (${way})`);
};

/** As the node agent finds it; null where it cannot be run. */
async function wayOf(surroundings: Surroundings): Promise<string | null> {
  const { settings, python: target, env, signal } = surroundings;
  const { toolkitHome } = settings;
  try {
    const python = await findPython({ target, toolkitHome, env, signal });
    const trial = { ...surroundings, env: { ...env, PYTHONPATH: sdkWheel() } };
    const run = await tryTool(python.path, ['-m', 'toolkit_sdk._agent.hiding', toolkitHome], trial);
    return run && run.stdout.trim();
  } catch (error) {
    // A Python that is missing is a finding of its own.
    if (!(error instanceof ToolkitError) || signal.aborted) throw error;
    return null;
  }
}
