/** Starts `toolkit dev` as a process that survives a reload of the window, and reads why it could not start. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { type ErrorBody, isErrorCode, ToolkitError } from '../../runtime/contract/errors.ts';

interface SpawnOptions {
  /** Path of the bundled `cli.js`. */
  script: string;
  root: string;
  port: number;
  /** Null for the project's default. */
  environment: string | null;
  /** Override the variables of this process. */
  variables: Record<string, string>;
  /** Platform address → key. */
  keys: Record<string, string>;
  /** File for the output of the process: a pipe would break when the window reloads. */
  output: string;
}

/** Starts it. It ends some seconds after its last client has disconnected. */
export async function spawnDev(options: SpawnOptions): Promise<ChildProcess> {
  const { script, root, port, environment, variables, keys, output } = options;
  const file = await open(output, 'w');
  try {
    const named = environment === null ? [] : ['--env', environment];
    const args = ['dev', '--json', '--attached', '--editor-keys', '--project', root, '--port', String(port)];
    const child = spawn(process.execPath, [script, ...args, ...named], {
      cwd: root,
      // With this variable, the editor's own runtime runs as Node.
      env: { ...process.env, ...variables, ELECTRON_RUN_AS_NODE: '1' },
      detached: true,
      stdio: ['pipe', file.fd, file.fd],
    });
    child.unref();
    // Ignore a process that ends before it has read the keys: its output says why.
    child.stdin!.on('error', () => {});
    child.stdin!.end(JSON.stringify(keys));
    await once(child, 'spawn');
    return child;
  } finally {
    await file.close();
  }
}

/** Messages about the start, such as that the platform was started. */
export async function readNotes(output: string): Promise<string[]> {
  const lines = (await readFile(output, 'utf8')).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('{'));
}

/** Why a dev server ended before it was ready. */
export async function readFailure(output: string): Promise<ToolkitError> {
  const lines = (await readFile(output, 'utf8')).trim().split('\n');
  const body = lines.map(errorIn).findLast((error) => error !== null);
  if (body) return new ToolkitError(body.code, body.message, { hint: body.hint });
  // An event does not say why the server ended.
  const last = lines.findLast((line) => line !== '' && !line.startsWith('{"event":'));
  return new ToolkitError('INTERNAL', last ?? 'The dev server ended without an error message.');
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
