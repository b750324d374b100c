/**
 * A locked set's wheels → the dependencies part, cached in TOOLKIT_HOME/cache/parts under a hash of its contents. A build that
 * changes only code copies it from there.
 */
import { hash } from 'node:crypto';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { ARTIFACT_PATHS } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import { HOME_FILES } from '../contract/stateManager.ts';
import { asWriteError, makeFolder } from './fileErrors.ts';
import { leftovers } from './leftovers.ts';
import { markUsed } from './pruneCache.ts';
import { ResumableHash } from './resumableHash.ts';
import type { LocalWheel } from './wheels/localWheel.ts';
import { spliceWheels } from './wheels/spliceWheels.ts';

/** A dependencies part on this machine. `content` is its identity. */
export interface DependencyPart {
  set: string;
  content: string;
  sha256: string;
  bytes: number;
  /** State of the sha256 after the part's last byte. */
  hashState: string;
  file: string;
}

/** Increase this when the same wheels give a part with other bytes. */
const FORMAT = 2;

/** The note next to a cached part. The part is valid only while its modification time is the noted one. */
const noteSchema = z.object({
  bytes: z.number(),
  sha256: z.string(),
  hashState: z.string(),
  mtimeMs: z.number(),
});

/** The identity of a part: a hash of its set's name and of the name, version and hash of every wheel in it. */
export function partContent(
  set: string,
  wheels: readonly { name: string; version: string; sha256: string }[],
): string {
  const listed = wheels.map(({ name, version, sha256 }) => [name, version, sha256]);
  return hash('sha256', JSON.stringify([FORMAT, set, listed]));
}

/** The cached part with that identity, if there is one. */
export async function findPart(
  set: string,
  content: string,
  toolkitHome: string,
): Promise<DependencyPart | null> {
  const { file, note } = partFiles(content, toolkitHome);
  try {
    const { mtimeMs, ...part } = noteSchema.parse(JSON.parse(await readFile(note, 'utf8')));
    const present = await stat(file);
    if (present.size !== part.bytes || present.mtimeMs !== mtimeMs) return null;
    await ResumableHash.resume(part.hashState);
    await markUsed(note);
    return { set, content, file, ...part };
  } catch {
    // Missing or damaged: it will be made again.
    return null;
  }
}

/**
 * Makes the part from its wheels and caches it.
 *
 * @throws ToolkitError WHEEL_INVALID, DISK_FULL or NOT_WRITABLE.
 */
export async function makePart(
  set: string,
  wheels: readonly LocalWheel[],
  { toolkitHome, signal, report }: { toolkitHome: string; signal: AbortSignal; report: ReportProgress },
): Promise<DependencyPart> {
  const content = partContent(set, wheels);
  const { file, note } = partFiles(content, toolkitHome);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await makeFolder(path.dirname(file));
    for (const left of await leftovers(path.dirname(file), /\.(\d+)\.tmp$/)) await rm(left, { force: true });
    const handle = await open(temporary, 'w');
    const count = `${wheels.length} ${wheels.length === 1 ? 'package' : 'packages'}`;
    const total = wheels.reduce((sum, { bytes }) => sum + bytes, 0);
    const onBytes = (done: number) =>
      report({ type: 'bytes', label: `Packing ${count}`, done: Math.min(done, total), total });
    const prefix = `${ARTIFACT_PATHS.dependencies}/${set}`;
    const part = await spliceWheels(wheels, prefix, handle, signal, onBytes).finally(() => handle.close());
    const { mtimeMs } = await stat(temporary);
    await rename(temporary, file);
    await writeFile(`${note}.${process.pid}.tmp`, JSON.stringify({ ...part, mtimeMs }));
    await rename(`${note}.${process.pid}.tmp`, note);
    return { set, content, file, ...part };
  } catch (error) {
    throw asWriteError(error, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

function partFiles(content: string, toolkitHome: string): { file: string; note: string } {
  const stem = path.join(toolkitHome, HOME_FILES.cache, 'parts', content);
  return { file: `${stem}.tar.gz`, note: `${stem}.json` };
}
