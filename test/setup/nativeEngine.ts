/**
 * The native syntax engine for tests. If its prebuilt binary requires a newer C++ library than the system
 * has, it is compiled once and stored next to the tests' other downloads.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const engine = path.join(root, 'node_modules/tree-sitter');
const built = path.join(engine, 'build/Release/tree_sitter_runtime_binding.node');

/** Makes the engine loadable. Does nothing if it is, or if npm skipped it. */
export function ensureNativeEngine(): void {
  if (!existsSync(engine) || canLoad()) return;
  const { version } = JSON.parse(readFileSync(path.join(engine, 'package.json'), 'utf8')) as {
    version: string;
  };
  const kept = path.join(root, `.cache/tree-sitter/${version}-${process.platform}-${process.arch}.node`);
  if (existsSync(kept)) {
    place(kept, built);
    if (canLoad()) return;
  }
  compile();
  if (!canLoad()) throw new Error(`The native syntax engine was compiled and cannot be loaded: ${built}.`);
  place(built, kept);
}

/** In a separate process, since a binary that fails to load can end it. */
function canLoad(): boolean {
  try {
    execFileSync(process.execPath, ['-e', 'require("tree-sitter")'], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** With the node-gyp of npm. Without local headers it downloads those of the running Node. */
function compile(): void {
  const headers = nodeHeaders();
  const env = headers === undefined ? process.env : { ...process.env, npm_config_nodedir: headers };
  execFileSync('npm', ['explore', 'tree-sitter', '--', 'node-gyp rebuild'], {
    cwd: root,
    stdio: 'ignore',
    env,
  });
}

/**
 * The parent folder of `include/node` of any Node here: the interface that the engine uses is the same in all
 * of them.
 */
export function nodeHeaders(): string | undefined {
  const { platform, arch } = process;
  const folders = [
    path.join(root, `node_modules/node/node_modules/node-${platform}-${arch}`),
    ...(process.env['PATH'] ?? '')
      .split(path.delimiter)
      .map((folder) => path.join(folder, 'node'))
      .filter((node) => existsSync(node))
      .map((node) => path.dirname(path.dirname(realpathSync(node)))),
  ];
  return folders.find((folder) => existsSync(path.join(folder, 'include/node/common.gypi')));
}

function place(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to);
}

if (import.meta.main) ensureNativeEngine();
