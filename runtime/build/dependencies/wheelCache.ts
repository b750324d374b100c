/**
 * Locked wheels → files in TOOLKIT_HOME/cache/wheels, named by their sha256. Downloads several files at once, resumes
 * interrupted downloads, and gives a file its final name only after checking its hash.
 */
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ReportProgress } from '../../contract/progress.ts';
import { HOME_FILES } from '../../contract/stateManager.ts';
import { asWriteError, makeFolder, systemCode } from '../fileErrors.ts';
import { markUsed } from '../pruneCache.ts';
import type { LocalWheel } from '../wheels/localWheel.ts';
import type { BuildWheel } from './buildWheel.ts';
import type { Authorize } from './credentials.ts';
import { downloadFile, sha256Of } from './downloadFile.ts';
import type { LockedPackage } from './lock.ts';

/** Number of files that are downloaded or read at the same time. */
const PARALLEL = 6;

/** Options of fetching. */
export interface FetchOptions {
  toolkitHome: string;
  /** Sets up the network. Called only if something must be downloaded; `close` undoes it. */
  network: () => Promise<{ authorize: Authorize; close: () => void }>;
  /** Called as soon as a wheel's size is known. It can throw to stop early. */
  onSize: (wheel: { name: string; version: string; sha256: string; bytes: number }) => void;
  /** Builds a wheel from a source distribution. */
  build: BuildWheel;
  signal: AbortSignal;
  report: ReportProgress;
}

/**
 * Finds all wheels in the cache, downloading those that are missing.
 *
 * @returns The wheels, in the order of the packages.
 * @throws ToolkitError DOWNLOAD_FAILED, DISK_FULL or NOT_WRITABLE.
 */
export async function fetchWheels(
  packages: readonly LockedPackage[],
  options: FetchOptions,
): Promise<LocalWheel[]> {
  const folder = path.join(options.toolkitHome, HOME_FILES.cache, 'wheels');
  const wheels: (LocalWheel | null)[] = packages.map(() => null);
  await inParallel([...packages.entries()], options.signal, async ([index, one], signal) => {
    const wheel = await findWheel(folder, one, signal);
    if (wheel) options.onSize(wheel);
    wheels[index] = wheel;
  });
  const missing = packages.flatMap((one, index) => (wheels[index] ? [] : [{ one, index }]));
  if (missing.length > 0) {
    await makeFolder(folder).catch((error: unknown) => {
      throw asWriteError(error, folder);
    });
    // Sizes that the lock lists are checked before the first download.
    for (const { one } of missing) {
      if (one.size !== null && !one.isSource) options.onSize({ ...one, bytes: one.size });
    }
    const { authorize, close } = await options.network();
    const progress = new DownloadProgress(missing, options.report);
    await inParallel(missing, options.signal, async ({ one, index }, signal) => {
      const target = path.join(folder, one.isSource ? `${one.sha256}.source` : `${one.sha256}.whl`);
      const onBytes = (done: number, total: number | null) => progress.update(one.sha256, done, total);
      const onTotal = (bytes: number) => {
        if (!one.isSource) options.onSize({ ...one, bytes });
      };
      await downloadFile(one, target, { authorize, onBytes, onTotal, signal });
      if (!one.isSource) wheels[index] = await localWheel(one, target);
    }).finally(close);
    // One at a time, since a build uses all of the machine.
    for (const { one, index } of missing.filter((each) => each.one.isSource)) {
      const made = await makeFromSource(folder, one, options.build);
      options.onSize(made);
      wheels[index] = made;
    }
  }
  return wheels.filter((wheel) => wheel !== null);
}

/**
 * A wheel of the cache, if its hash is the locked one. It is hashed because its bytes are copied to the artifact without
 * further checks, including any damage by a full disk, a power failure or another program.
 */
async function findWheel(
  folder: string,
  wanted: LockedPackage,
  signal: AbortSignal,
): Promise<LocalWheel | null> {
  if (wanted.isSource) return findBuilt(folder, wanted, signal);
  const file = path.join(folder, `${wanted.sha256}.whl`);
  try {
    return (await cachedHash(file, signal)) === wanted.sha256 ? await localWheel(wanted, file) : null;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A wheel that was built from source has both hashes in its name: of the source distribution and of the wheel. */
async function findBuilt(
  folder: string,
  wanted: LockedPackage,
  signal: AbortSignal,
): Promise<LocalWheel | null> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((one) => one.startsWith(`${wanted.sha256}.`))) {
    const made = /\.([0-9a-f]{64})\.built\.whl$/.exec(name)?.[1];
    const file = path.join(folder, name);
    if (made && (await cachedHash(file, signal)) === made) return localWheel(wanted, file);
  }
  return null;
}

/** @throws ToolkitError NOT_WRITABLE for a folder in the place of the file, or missing permissions. */
async function cachedHash(file: string, signal: AbortSignal): Promise<string> {
  try {
    return await sha256Of(file, signal);
  } catch (error) {
    throw asWriteError(error, file);
  }
}

async function makeFromSource(folder: string, wanted: LockedPackage, build: BuildWheel): Promise<LocalWheel> {
  const source = path.join(folder, `${wanted.sha256}.source`);
  const { file, sha256 } = await build({ ...wanted, file: source });
  const kept = path.join(folder, `${wanted.sha256}.${sha256}.built.whl`);
  await rename(file, kept);
  await rm(path.dirname(file), { recursive: true, force: true });
  await rm(source, { force: true });
  return localWheel(wanted, kept);
}

async function localWheel({ name, version, sha256 }: LockedPackage, file: string): Promise<LocalWheel> {
  await markUsed(file);
  return { name, version, sha256, path: file, bytes: (await stat(file)).size };
}

/** Processes several items at once. Stops at the first failure and throws it. */
async function inParallel<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const both = AbortSignal.any([signal, failure.signal]);
  const queue = items.values();
  const lanes = Array.from({ length: PARALLEL }, async () => {
    for (const item of queue) {
      both.throwIfAborted();
      await work(item, both);
    }
  });
  const stopping = lanes.map((lane) =>
    lane.catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  const ends = await Promise.allSettled(stopping);
  signal.throwIfAborted();
  if (failure.signal.aborted) throw failure.signal.reason;
  if (ends.some(({ status }) => status === 'rejected')) throw new Error('A lane ended without a reason.');
}

/** Reports the combined progress of parallel downloads. */
class DownloadProgress {
  readonly #label: string;
  readonly #report: ReportProgress;
  readonly #wheels = new Map<string, { done: number; total: number | null }>();

  constructor(missing: readonly { one: LockedPackage }[], report: ReportProgress) {
    this.#label = `Downloading ${missing.length} ${missing.length === 1 ? 'wheel' : 'wheels'}`;
    this.#report = report;
    for (const { one } of missing) this.#wheels.set(one.sha256, { done: 0, total: one.size });
    this.#send();
  }

  update(sha256: string, done: number, total: number | null): void {
    this.#wheels.set(sha256, { done, total: total ?? this.#wheels.get(sha256)?.total ?? null });
    this.#send();
  }

  #send(): void {
    const all = [...this.#wheels.values()];
    const sum = all.reduce((before, wheel) => before + wheel.done, 0);
    const known = all.every((wheel) => wheel.total !== null);
    const expected = known ? all.reduce((before, wheel) => before + (wheel.total ?? 0), 0) : null;
    this.#report({ type: 'bytes', label: this.#label, done: sum, total: expected });
  }
}
