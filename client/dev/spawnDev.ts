/** Starts `toolkit dev` as a process that outlives the window's reload, and reads why it ended when it could not start. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { type ErrorBody, isErrorCode, ToolkitError } from '../../runtime/contract/errors.ts';

interface SpawnOptions {
  /** Path of the bundled `cli.js`. */
  script: string;
  root: string;
  port: number;
  /** Null for the project's own. */
  environment: string | null;
  /** Over those of this process. */
  variables: Record<string, string>;
  /** Platform address → key. */
  keys: Record<string, string>;
  /** Takes what the process writes: a pipe would break with a reload of the window. */
  output: string;
}

/** Starts it; it ends some seconds after its last client. */
export async function spawnDev(options: SpawnOptions): Promise<ChildProcess> {
  const { script, root, port, environment, variables, keys, output } = options;
  const file = await open(output, 'w');
  try {
    const named = environment === null ? [] : ['--env', environment];
    const args = ['dev', '--json', '--attached', '--editor-keys', '--project', root, '--port', String(port)];
    const child = spawn(process.execPath, [script, ...args, ...named], {
      cwd: root,
      // The editor's own runtime is Node when this is set.
      env: { ...process.env, ...variables, ELECTRON_RUN_AS_NODE: '1' },
      detached: true,
      stdio: ['pipe', file.fd, file.fd],
    });
    child.unref();
    // One that ends before it has read them says why in its output.
    child.stdin!.on('error', () => {});
    child.stdin!.end(JSON.stringify(keys));
    await once(child, 'spawn');
    return child;
  } finally {
    await file.close();
  }
}

/** Sentences about the start, such as that the platform was started. */
export async function readNotes(output: string): Promise<string[]> {
  const lines = (await readFile(output, 'utf8')).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('{'));
}

/** Why a dev server ended before it was ready. */
export async function readFailure(output: string): Promise<ToolkitError> {
  const lines = (await readFile(output, 'utf8')).trim().split('\n');
  const body = lines.map(errorIn).findLast((error) => error !== null);
  if (body) return new ToolkitError(body.code, body.message, { hint: body.hint });
  return new ToolkitError('INTERNAL', lines.at(-1) || 'The dev server ended without a word.');
}

function errorIn(line: string): ErrorBody | null {
  if (!line.startsWith('{"error":')) return null;
  try {
    const { error } = JSON.parse(line) as { error: ErrorBody };
    return isErrorCode(error.code) ? error : null;
  } catch {
    return null;
  }
}
