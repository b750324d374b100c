/** Checks the machine: processor and C library, Node, GPUs, container engine, disk, write permissions. */
import { access, constants, statfs } from 'node:fs/promises';
import path from 'node:path';
import { onPath } from '../../build/dependencies/interpreter.ts';
import { PROJECT_LIMITS } from '../../contract/limits.ts';
import { formatBytes } from '../format.ts';
import { type Check, type Finding, fine, type Surroundings, wrong } from './check.ts';
import { tryTool } from './tryTool.ts';

const OLDEST_GLIBC = [2, 28] as const;
/** Space for a large artifact three times: in the project, as parts on the platform, and unpacked for workers. */
const DISK_WANTED = 3 * PROJECT_LIMITS.artifactBytes;

/** The process driver runs artifacts on Linux x86_64 with glibc 2.28 or newer. */
export const host: Check = () => {
  const { platform, arch } = process;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const glibc = report.header?.glibcVersionRuntime;
  const system = `${platform} ${arch}${glibc ? `, glibc ${glibc}` : ''}`;
  const elsewhere =
    'check and build work here; to deploy, set PLATFORM_API_URL to a platform on another machine.';
  if (platform !== 'linux' || arch !== 'x64') return wrong('host', `${system} cannot run workers`, elsewhere);
  if (!glibc) return wrong('host', `${system}: the C library is not glibc`, elsewhere);
  const [major = 0, minor = 0] = glibc.split('.').map(Number);
  const recent = major > OLDEST_GLIBC[0] || (major === OLDEST_GLIBC[0] && minor >= OLDEST_GLIBC[1]);
  return recent
    ? fine('host', system)
    : wrong('host', `${system} is older than ${OLDEST_GLIBC.join('.')}`, elsewhere);
};

/** Always fine: the CLI's entry rejects a Node that is too old. */
export const node: Check = () => fine('node', `${process.versions.node} (${process.execPath})`);

export const gpu: Check = async (surroundings) => {
  const [tool] = onPath('nvidia-smi', surroundings.env);
  if (!tool) return fine('gpu', 'none: GPU endpoints run on the CPU here');
  const run = await tryTool(tool, ['--query-gpu=name', '--format=csv,noheader'], surroundings);
  const cards = (run?.stdout ?? '').split('\n').flatMap((line) => line.trim() || []);
  if (cards.length > 0) return fine('gpu', cards.join(', '));
  return wrong(
    'gpu',
    `${tool} finds no GPU`,
    'Check the driver with "nvidia-smi". CPU endpoints do not need it.',
  );
};

export const containers: Check = async (surroundings) => {
  for (const engine of ['docker', 'podman']) {
    const [tool] = onPath(engine, surroundings.env);
    if (!tool) continue;
    const answers = await tryTool(tool, ['info'], surroundings);
    return fine(
      'containers',
      answers ? `${engine} responds` : `${engine} is installed but does not respond; nothing needs it`,
    );
  }
  return fine('containers', 'no engine found; nothing needs one');
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
        `Free some space, or set TOOLKIT_HOME to a folder on a larger disk. A large artifact takes up to ${formatBytes(DISK_WANTED)}.`,
      );
};

export const home: Check = ({ settings }) =>
  writable('home', settings.toolkitHome, 'Make it writable, or set TOOLKIT_HOME to another folder.');

export const project: Check = ({ root }: Surroundings) =>
  writable('project', root, 'Make it writable: builds write .toolkit/ and pylock.toml there.');

async function writable(name: string, folder: string, fix: string): Promise<Finding> {
  const existing = await nearestFolder(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    return fine(name, existing === folder ? `${folder} is writable` : `${folder} can be created`);
  } catch (error) {
    return wrong(name, `${existing} is not writable (${(error as NodeJS.ErrnoException).code})`, fix);
  }
}

/** The folder, or its nearest existing parent. */
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

/** What functions can do to this machine: they run as the platform's user, and see its files. */
export const user: Check = () => {
  const uid = process.getuid?.();
  const detail =
    uid === 0
      ? 'functions run as root, and can change or delete any file of this machine'
      : `functions run as your user${uid === undefined ? '' : ` (${uid})`}, and can change or delete its files`;
  return fine('user', detail);
};
