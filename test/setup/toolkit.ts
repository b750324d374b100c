/** Runs the bundled command like users do, in temporary homes that share one cache of wheels. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
export const cli = path.join(root, 'dist/cli.js');
/** Downloads shared by all tests; ignored by git. */
const sharedCache = path.join(root, '.cache');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Parses stdout, which must be a single JSON document. */
  json<Document>(): Document;
}

export interface Workbench {
  /** Temporary folder for projects. */
  folder: string;
  home: string;
  /** Writes the files of a project and returns its folder. */
  project(name: string, files: Record<string, string>): string;
  /** Runs `toolkit …args` in a folder. */
  toolkit(
    cwd: string,
    args: string[],
    options?: { env?: Record<string, string>; input?: string; signal?: AbortSignal },
  ): Promise<Ran>;
}

/** A temporary home and folder. After the test, the platform is stopped and everything removed. */
export function workbench(t: { after: (clean: () => Promise<void>) => void }): Workbench {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-test-'));
  const home = path.join(folder, 'toolkit-home');
  mkdirSync(sharedCache, { recursive: true });
  mkdirSync(home);
  symlinkSync(sharedCache, path.join(home, 'cache'));
  const bench: Workbench = {
    folder,
    home,
    project: (name, files) => writeProject(path.join(folder, name), files),
    toolkit: (cwd, args, options = {}) =>
      runCommand(process.execPath, [cli, ...args], {
        ...options,
        cwd,
        env: { ...cleanEnvironment(), TOOLKIT_HOME: home, ...options.env },
      }),
  };
  t.after(async () => {
    await bench.toolkit(folder, ['platform', 'stop']);
    rmSync(folder, { recursive: true, force: true });
  });
  return bench;
}

/** Writes files below a folder, creating folders as needed. */
export function writeProject(folder: string, files: Record<string, string>): string {
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return folder;
}

/** The tests' environment without variables that affect the toolkit. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const {
    PLATFORM_API_KEY,
    PLATFORM_API_URL,
    TOOLKIT_APP,
    TOOLKIT_ENV,
    CI,
    FORCE_COLOR,
    NODE_COMPILE_CACHE,
    NODE_TEST_CONTEXT,
    ...env
  } = process.env;
  return env;
}

/** Runs a command to its end and collects its output. */
export function runCommand(
  file: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; input?: string; signal?: AbortSignal },
): Promise<Ran> {
  const { cwd, env } = options;
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  options.signal?.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
  // A command can end before it has read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const ran: Ran = {
    code: null,
    stdout: '',
    stderr: '',
    json<Document>(): Document {
      try {
        return JSON.parse(ran.stdout) as Document;
      } catch (error) {
        throw new Error(`${file} ${args.join(' ')} printed no JSON:\n${ran.stdout}\n${ran.stderr}`, {
          cause: error,
        });
      }
    },
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (ran.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (ran.stderr += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(Object.assign(ran, { code })));
  });
}
