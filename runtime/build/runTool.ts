/** Runs an outside program to its end and hands back what it wrote. Nothing it prints reaches the user unread. */

/** How a program ended; `code` is null when a signal ended it. */
export interface ToolRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Output beyond this many bytes ends the program. */
const OUTPUT_LIMIT = 64 << 20;

/**
 * Runs a program.
 *
 * @throws The system's error when it cannot be started, the signal's reason when it was aborted.
 */
export async function runTool(
  file: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal; cwd?: string },
): Promise<ToolRun> {
  // Most builds run nothing, and loading it with the network behind it takes as long as packing the code.
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
