/**
 * TOOLKIT_HOME/platform.json: the address of the embedded platform. A platform counts as running if it
 * responds there, not if its pid exists.
 */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { HOME_FILES, type PlatformIdentity, type PlatformRecord } from '../contract/stateManager.ts';
import { writeFileAtomic } from './writeFileAtomic.ts';

const PROBE_TIMEOUT_MS = 2_000;

export async function writeRecord(home: string, record: PlatformRecord): Promise<void> {
  await writeFileAtomic(path.join(home, HOME_FILES.record), `${JSON.stringify(record, null, 2)}\n`);
}

/** Removes the record if it still belongs to this start. */
export async function removeRecord(home: string, instance: string): Promise<void> {
  if ((await readRecord(home))?.instance !== instance) return;
  await rm(path.join(home, HOME_FILES.record), { force: true });
}

/** The record of a platform that responds; null if none does. */
export async function findRunning(home: string): Promise<PlatformRecord | null> {
  const record = await readRecord(home);
  if (!record) return null;
  try {
    const answer = await fetch(record.url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const identity = (await answer.json()) as Partial<PlatformIdentity>;
    return identity.instance === record.instance ? record : null;
  } catch {
    // Nothing responds there, or something else does: no platform of this TOOLKIT_HOME is running.
    return null;
  }
}

async function readRecord(home: string): Promise<PlatformRecord | null> {
  try {
    return JSON.parse(await readFile(path.join(home, HOME_FILES.record), 'utf8')) as PlatformRecord;
  } catch {
    // Missing or malformed: counts as no record.
    return null;
  }
}
