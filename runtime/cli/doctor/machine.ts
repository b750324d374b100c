/** What the machine offers: processor and C library, Node, GPUs, container engine, disk, rights to write. */
import { access, constants, statfs } from 'node:fs/promises';
import path from 'node:path';
import { onPath } from '../../build/dependencies/interpreter.ts';
import { PROJECT_LIMITS } from '../../contract/limits.ts';
import { formatBytes } from '../format.ts';
import { type Check, type Finding, fine, type Surroundings, wrong } from './check.ts';
import { tryTool } from './tryTool.ts';

const OLDEST_GLIBC = [2, 28] as const;
/** An artifact in the project, its parts on the platform, and unpacked for workers. */
const DISK_WANTED = 3 * PROJECT_LIMITS.artifactBytes;

/** The process driver runs artifacts on Linux x86_64 with glibc from 2.28 on. */
export const host: Check = () => {
  const { platform, arch } = process;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const glibc = report.header?.glibcVersionRuntime;
  const told = `${platform} ${arch}${glibc ? `, glibc ${glibc}` : ''}`;
  const elsewhere = 'check and build work here; to deploy, set PLATFORM_API_URL to a platform elsewhere.';
  if (platform !== 'linux' || arch !== 'x64') return wrong('host', `${told} runs no workers`, elsewhere);
  if (!glibc) return wrong('host', `${told}: the C library is not glibc`, elsewhere);
  const [major = 0, minor = 0] = glibc.split('.').map(Number);
  const recent = major > OLDEST_GLIBC[0] || (major === OLDEST_GLIBC[0] && minor >= OLDEST_GLIBC[1]);
  return recent
    ? fine('host', told)
    : wrong('host', `${told} is older than ${OLDEST_GLIBC.join('.')}`, elsewhere);
};

/** An older one does not come this far: the entry refuses it. */
export const node: Check = () => fine('node', `${process.versions.node} (${process.execPath})`);

export const gpu: Check = async (surroundings) => {
  const [tool] = onPath('nvidia-smi', surroundings.env);
  if (!tool) return fine('gpu', 'none: GPU endpoints run on the CPU here');
  const run = await tryTool(tool, ['--query-gpu=name', '--format=csv,noheader'], surroundings);
  const cards = (run?.stdout ?? '').split('\n').flatMap((line) => line.trim() || []);
  if (cards.length > 0) return fine('gpu', cards.join(', '));
  return wrong(
    'gpu',
    `${tool} finds no card`,
    'Check the driver with "nvidia-smi"; CPU endpoints do not need it.',
  );
};

export const containers: Check = async (surroundings) => {
  for (const engine of ['docker', 'podman']) {
    const [tool] = onPath(engine, surroundings.env);
    if (!tool) continue;
    const answers = await tryTool(tool, ['info'], surroundings);
    return fine(
      'containers',
      answers ? `${engine} answers` : `${engine} is there, but its engine does not answer; nothing needs it`,
    );
  }
  return fine('containers', 'no engine; nothing needs one');
};

export const disk: Check = async ({ settings, signal }) => {
  signal.throwIfAborted();
  const folder = await nearestFolder(settings.toolkitHome);
  const { bavail, bsize } = await statfs(folder);
  const free = `${formatBytes(bavail * bsize)} free for ${settings.toolkitHome}`;
  return bavail * bsize >= DISK_WANTED
    ? fine('disk', free)
    : wrong(
        'disk',
        free,
        `Free some space: a large artifact takes up to ${formatBytes(DISK_WANTED)}; or set TOOLKIT_HOME to a larger disk.`,
      );
};

export const home: Check = ({ settings }) =>
  writable(
    'home',
    settings.toolkitHome,
    'Give yourself the right to write there, or set TOOLKIT_HOME to another folder.',
  );

export const project: Check = ({ root }: Surroundings) =>
  writable(
    'project',
    root,
    'Give yourself the right to write there: builds put .toolkit/ and pylock.toml into it.',
  );

async function writable(name: string, folder: string, fix: string): Promise<Finding> {
  const there = await nearestFolder(folder);
  try {
    await access(there, constants.W_OK | constants.X_OK);
    return fine(name, there === folder ? `${folder} can be written` : `${folder} can be made`);
  } catch (error) {
    return wrong(name, `${there} cannot be written (${(error as NodeJS.ErrnoException).code})`, fix);
  }
}

/** The folder itself, or the nearest one above it that is there. */
async function nearestFolder(folder: string): Promise<string> {
  for (let current = folder; ; current = path.dirname(current)) {
    try {
      await access(current, constants.F_OK);
      return current;
    } catch (error) {
      if (current === path.dirname(current)) throw error;
    }
  }
}
