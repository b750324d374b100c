/** Runs an external program and returns its output. The output is never passed to the terminal directly. */

/** Result of a program. `code` is null if a signal ended it. */
export interface ToolRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A program that prints more than this many bytes is ended. */
const OUTPUT_LIMIT = 64 << 20;

/**
 * Runs a program until it ends.
 *
 * @throws The system's error if it cannot be started, or the signal's reason if it was aborted.
 */
export async function runTool(
  file: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal; cwd?: string },
): Promise<ToolRun> {
  // Most builds run no program, and loading this module, which loads the network, takes as long as packing the code.
  const { execFile } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      { ...options, encoding: 'utf8', maxBuffer: OUTPUT_LIMIT },
      (error, stdout, stderr) => {
        if (options.signal.aborted) return reject(options.signal.reason);
        if (error && typeof error.code === 'string') return reject(error);
        resolve({ code: error ? (typeof error.code === 'number' ? error.code : null) : 0, stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}
