/** Records of the dev servers that run, in TOOLKIT_HOME: written at the start, removed at the end, found by root. */
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

/** Bytes of a socket's path that every system takes. */
const LONGEST_SOCKET = 100;

/** Where a run listens; in the folder for temporary files where TOOLKIT_HOME is too long a path for it. */
export function socketPath(home: string, run: string): string {
  const own = path.join(home, HOME_FILES.devDir, `${run}.sock`);
  return Buffer.byteLength(own) <= LONGEST_SOCKET ? own : path.join(tmpdir(), `toolkit-dev-${run}.sock`);
}

/** Writes a record, which only its user can read. */
export async function writeDevRecord(home: string, record: DevRecord): Promise<void> {
  const file = fileOf(home, record.run);
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, JSON.stringify(record), { mode: 0o600 });
  await rename(fresh, file);
}

export async function removeDevRecord(home: string, run: string): Promise<void> {
  await rm(fileOf(home, run), { force: true });
}

/** Makes the folder of the records, and removes those of dev servers that crashed, with their sockets and parts. */
export async function tidyDevRecords(home: string): Promise<void> {
  await mkdir(path.join(home, HOME_FILES.devDir), { recursive: true, mode: 0o700 });
  for (const record of await readRecords(home)) {
    if (await accepts(record.socket)) continue;
    await rm(record.socket, { force: true });
    await removeParts(record);
    await removeDevRecord(home, record.run);
  }
}

/** The dev server of a root that was started last; null when none runs. */
export async function findDev(home: string, root: string): Promise<DevRecord | null> {
  for (const record of await recordsOf(home, root)) if (await accepts(record.socket)) return record;
  return null;
}

/** All dev servers of a root that run, the one that was started last first. */
export async function findDevs(home: string, root: string): Promise<DevRecord[]> {
  const records = await recordsOf(home, root);
  const answers = await Promise.all(records.map(({ socket }) => accepts(socket)));
  return records.filter((_, at) => answers[at]);
}

/** Yields at once, and then whenever records may have come or gone, until the signal is raised. */
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

/** Whether the process of a run lives, also one that was stopped and does not answer. */
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
        // Records of older versions do not say who started their dev: a terminal, so that nobody ends it.
        return [{ ...record, attached: record.attached ?? false }];
      } catch {
        // It was removed meanwhile, or is of another version.
        return [];
      }
    });
  return (await Promise.all(records)).flat();
}

/** A pid that exists proves nothing: another process may have it. A socket accepts as long as its process lives. */
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
  // A record is a file that anything may have changed: no other folder is removed.
  if (parts && path.basename(parts).startsWith(PARTS_PREFIX))
    await rm(parts, { recursive: true, force: true });
}

function fileOf(home: string, run: string): string {
  return path.join(home, HOME_FILES.devDir, `${run}.json`);
}
