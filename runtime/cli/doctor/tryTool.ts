/** Runs a program with a short timeout. */
import { runTool, type ToolRun } from '../../build/runTool.ts';
import type { Surroundings } from './check.ts';

const TIMEOUT_MS = 5_000;

/** The run's output; null if the program cannot be started, fails or takes too long. */
export async function tryTool(
  file: string,
  args: string[],
  { env, signal }: Surroundings,
): Promise<ToolRun | null> {
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const run = await runTool(file, args, { env, signal: AbortSignal.any([signal, timeout]) });
    return run.code === 0 ? run : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
