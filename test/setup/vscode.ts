/**
 * VS Code's own server and workbench for tests of the extension, from the npm package code-server, which
 * contains both, with the native modules that the server requires. Installed once next to the tests' other
 * downloads.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeHeaders } from './nativeEngine.ts';

/** code-server 4.139.1 is VS Code 1.139.1. */
const VERSION = '4.139.1';
/** Terminals, logs, file watching and state storage. Others, such as kerberos, are loaded only when used. */
const NATIVE = [
  '@vscode/spdlog',
  'node-pty',
  '@parcel/watcher',
  '@vscode/native-watchdog',
  '@vscode/sqlite3',
];

const root = path.join(import.meta.dirname, '../..');
const kept = path.join(root, `.cache/vscode/${VERSION}-${process.platform}-${process.arch}`);

/** The program's folder and file. It runs on the Node of the tests. */
export const VSCODE_SERVER = {
  folder: path.join(kept, 'server'),
  main: 'out/server-main.js',
} as const;

/** Installs it if it is missing. */
export function ensureVSCode(): void {
  if (isInstalled()) return;
  const work = `${kept}.${process.pid}`;
  const headers = nodeHeaders();
  // Optimizing SQLite takes most of a minute, and no test needs it.
  const env = { ...process.env, CFLAGS: '-O0', CXXFLAGS: '-O0' };
  const npm = (folder: string, ...args: string[]) =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: 'inherit',
      env: headers === undefined ? env : { ...env, npm_config_nodedir: headers },
    });
  try {
    const download = path.join(work, 'download');
    const server = path.join(work, 'server');
    mkdirSync(download, { recursive: true });
    // Without its own package.json, npm would install into the surrounding project.
    writeFileSync(path.join(download, 'package.json'), '{}');
    // The package's own scripts would compile all modules, which requires more Debian packages.
    npm(download, 'install', '--ignore-scripts', `code-server@${VERSION}`);
    renameSync(path.join(download, 'node_modules/code-server/lib/vscode'), server);
    npm(server, 'install', '--omit=dev', '--ignore-scripts');
    npm(server, 'rebuild', ...NATIVE);
    rmSync(download, { recursive: true });
    renameSync(work, kept);
  } catch (error) {
    // Another set-up was faster.
    if (isInstalled()) return;
    throw new Error(`The tests of the extension need code-server ${VERSION} from npm.`, { cause: error });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function isInstalled(): boolean {
  return existsSync(path.join(kept, 'server/out/server-main.js'));
}

if (import.meta.main) ensureVSCode();
