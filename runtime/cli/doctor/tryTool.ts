/** A program's answer, when it gives one soon. */
import { runTool, type ToolRun } from '../../build/runTool.ts';
import type { Surroundings } from './check.ts';

const PATIENCE_MS = 5_000;

/** Null when it cannot be started, fails or takes too long. */
export async function tryTool(
  file: string,
  args: string[],
  { env, signal }: Surroundings,
): Promise<ToolRun | null> {
  try {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const run = await runTool(file, args, { env, signal: AbortSignal.any([signal, patience]) });
    return run.code === 0 ? run : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
