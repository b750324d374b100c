/**
 * A project with many real dependencies, for the benchmarks of builds. It is downloaded once; later runs need
 * no network.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { command } from './measure.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
/** Downloads shared by all tests and benchmarks; ignored by git. */
const sharedCache = path.join(import.meta.dirname, '../../.cache');

/** A built project. */
export interface DependencyProject {
  folder: string;
  root: string;
  cache: string;
  /** Changes one line of the code. */
  edit: () => void;
  /** `toolkit build`. */
  build: () => void;
  /** The unpacked artifact, created at the first call. */
  tree: () => string;
  /** MB of the unpacked dependencies. */
  megabytes: () => number;
}

/** Creates the project and builds it once; removes it after `use`. */
export async function withDependencies(
  dependencies: string[],
  use: (project: DependencyProject) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
  try {
    const home = path.join(folder, 'home');
    const root = path.join(folder, 'app');
    for (const made of [sharedCache, home, root, path.join(home, 'cache')])
      mkdirSync(made, { recursive: true });
    // The cache of parts belongs to this project alone, so that a first build can clear it.
    for (const shared of ['wheels', 'uv'])
      symlinkSync(path.join(sharedCache, shared), path.join(home, 'cache', shared));
    mkdirSync(path.join(sharedCache, 'wheels'), { recursive: true });
    let edits = 0;
    const edit = () => writeFileSync(path.join(root, 'worker.py'), workerText(dependencies, (edits += 1)));
    const env = { ...process.env, TOOLKIT_HOME: home };
    const build = () => command(process.execPath, [cli, 'build', '--json'], { cwd: root, env });
    writeFileSync(path.join(root, 'pyproject.toml'), '[tool.toolkit]\napp = "bench"\npython = "3.11"\n');
    edit();
    build();
    const tree = path.join(folder, 'tree');
    const unpack = () => {
      if (!readdirSync(folder).includes('tree')) {
        mkdirSync(tree);
        command('tar', ['xzf', path.join(root, '.toolkit/artifact.tar.gz'), '-C', tree]);
      }
      return tree;
    };
    const megabytes = () => sizeOf(path.join(unpack(), '_toolkit/dependencies')) / 1e6;
    await use({ folder, root, cache: path.join(home, 'cache'), edit, build, tree: unpack, megabytes });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** uv as installed by the build. */
export function uvOf(project: DependencyProject): string {
  const own = path.join(project.cache, 'uv/bin/uv');
  return statSync(own, { throwIfNoEntry: false })
    ? own
    : execFileSync('which', ['uv'], { encoding: 'utf8' }).trim();
}

function workerText(dependencies: string[], edit: number): string {
  return `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="bench", cpu="cpu3c-1-2", dependencies=${JSON.stringify(dependencies)})\ndef bench(text: str) -> str:\n    """Edit ${edit}."""\n    return text\n`;
}

function sizeOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => {
    const stat = statSync(path.join(folder, name));
    return sum + (stat.isFile() ? stat.size : 0);
  }, 0);
}
