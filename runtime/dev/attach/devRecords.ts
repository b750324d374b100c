/** Records of running dev servers in TOOLKIT_HOME: written at the start, removed at the end, found by project root. */
import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DevRecord } from '../../contract/devSocket.ts';
import { PARTS_PREFIX } from '../../contract/names.ts';
import { HOME_FILES } from '../../contract/stateManager.ts';

/** Longest socket path, in bytes, that every system accepts. */
const LONGEST_SOCKET = 100;

/** The socket of a run; in the system's temporary folder if the path in TOOLKIT_HOME would be too long. */
export function socketPath(home: string, run: string): string {
  const own = path.join(home, HOME_FILES.devDir, `${run}.sock`);
  return Buffer.byteLength(own) <= LONGEST_SOCKET ? own : path.join(tmpdir(), `toolkit-dev-${run}.sock`);
}

/** Writes a record that only its user can read. */
export async function writeDevRecord(home: string, record: DevRecord): Promise<void> {
  const file = fileOf(home, record.run);
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, JSON.stringify(record), { mode: 0o600 });
  await rename(fresh, file);
}

export async function removeDevRecord(home: string, run: string): Promise<void> {
  await rm(fileOf(home, run), { force: true });
}

/** Creates the folder of records. Removes the records of crashed dev servers, with their sockets and parts. */
export async function tidyDevRecords(home: string): Promise<void> {
  await mkdir(path.join(home, HOME_FILES.devDir), { recursive: true, mode: 0o700 });
  for (const record of await readRecords(home)) {
    if (await accepts(record.socket)) continue;
    await rm(record.socket, { force: true });
    await removeParts(record);
    await removeDevRecord(home, record.run);
  }
}

/** The most recently started dev server of a root; null if none is running. */
export async function findDev(home: string, root: string): Promise<DevRecord | null> {
  for (const record of await recordsOf(home, root)) if (await accepts(record.socket)) return record;
  return null;
}

/** All running dev servers of a root, most recently started first. */
export async function findDevs(home: string, root: string): Promise<DevRecord[]> {
  const records = await recordsOf(home, root);
  const answers = await Promise.all(records.map(({ socket }) => accepts(socket)));
  return records.filter((_, at) => answers[at]);
}

/** Yields at once, and then whenever records may have changed, until the signal is aborted. */
export async function* watchDevRecords(home: string, signal: AbortSignal): AsyncGenerator<void> {
  const folder = path.join(home, HOME_FILES.devDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const changes = on(watch(folder, { signal }), 'change', { signal });
  yield;
  try {
    for await (const [, file] of changes) if (!file || String(file).endsWith('.json')) yield;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Whether the process of a run is alive, including one that is suspended and does not respond. */
export function isAlive(home: string, run: string): Promise<boolean> {
  return accepts(socketPath(home, run));
}

async function recordsOf(home: string, root: string): Promise<DevRecord[]> {
  const ofRoot = (await readRecords(home)).filter((record) => record.root === root);
  return ofRoot.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

async function readRecords(home: string): Promise<DevRecord[]> {
  const folder = path.join(home, HOME_FILES.devDir);
  const names = await readdir(folder).catch(() => []);
  const records = names
    .filter((name) => name.endsWith('.json'))
    .map(async (name) => {
      try {
        const record = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as DevRecord;
        // Records of older versions lack `attached`. Assume a terminal started the server, so that no editor ends it.
        return [{ ...record, attached: record.attached ?? false }];
      } catch {
        // It was removed in the meantime, or has the format of another version.
        return [];
      }
    });
  return (await Promise.all(records)).flat();
}

/** Tests for the process by its socket, which accepts while it is alive. A pid can be reused by another process. */
function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

async function removeParts({ parts }: Partial<DevRecord>): Promise<void> {
  // Any program can change a record, so only a folder with the parts prefix is removed.
  if (parts && path.basename(parts).startsWith(PARTS_PREFIX))
    await rm(parts, { recursive: true, force: true });
}

function fileOf(home: string, run: string): string {
  return path.join(home, HOME_FILES.devDir, `${run}.json`);
}
