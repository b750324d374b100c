/**
 * Locked wheels → files in TOOLKIT_HOME/cache/wheels, named by their sha256. Downloads a few at once, resumes what was
 * cut off, and gives a file its final name only after its hash was checked.
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

/** Downloads, or files read, at the same time. */
const PARALLEL = 6;

/** What fetching needs. */
export interface FetchOptions {
  toolkitHome: string;
  /** Sets the network up, asked for only when something must be downloaded; `close` ends what it set up. */
  network: () => Promise<{ authorize: Authorize; close: () => void }>;
  /** Told each wheel's size as it becomes known; may throw to stop early. */
  onSize: (wheel: { name: string; version: string; sha256: string; bytes: number }) => void;
  /** Makes a wheel of a source distribution. */
  build: BuildWheel;
  signal: AbortSignal;
  report: ReportProgress;
}

/**
 * Makes every wheel lie on this machine, in the order given.
 *
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
    // What the lock tells is refused before the first byte travels.
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
    // One after the other: a build takes what the machine has.
    for (const { one, index } of missing.filter((each) => each.one.isSource)) {
      const made = await makeFromSource(folder, one, options.build);
      options.onSize(made);
      wheels[index] = made;
    }
  }
  return wheels.filter((wheel) => wheel !== null);
}

/**
 * A wheel of the cache, when it is what was locked. Its bytes go into the artifact unread, so what a full disk, a power
 * cut or another program did to the file would travel with them.
 */
async function findWheel(
  folder: string,
  wanted: LockedPackage,
  signal: AbortSignal,
): Promise<LocalWheel | null> {
  if (wanted.isSource) return findBuilt(folder, wanted, signal);
  const file = path.join(folder, `${wanted.sha256}.whl`);
  try {
    return (await sha256Of(file, signal)) === wanted.sha256 ? await localWheel(wanted, file) : null;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A wheel made of a source distribution has the hashes of both in its name. */
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
    if (made && (await sha256Of(file, signal)) === made) return localWheel(wanted, file);
  }
  return null;
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

/** Runs a few at once; the first failure stops the others and is thrown. */
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

/** Adds up the downloads that run side by side. */
class DownloadProgress {
  readonly #label: string;
  readonly #report: ReportProgress;
  readonly #wheels = new Map<string, { done: number; total: number | null }>();

  constructor(missing: readonly { one: LockedPackage }[], report: ReportProgress) {
    this.#label = `Fetching ${missing.length} ${missing.length === 1 ? 'wheel' : 'wheels'}`;
    this.#report = report;
    for (const { one } of missing) this.#wheels.set(one.sha256, { done: 0, total: one.size });
    this.#tell();
  }

  update(sha256: string, done: number, total: number | null): void {
    this.#wheels.set(sha256, { done, total: total ?? this.#wheels.get(sha256)?.total ?? null });
    this.#tell();
  }

  #tell(): void {
    const all = [...this.#wheels.values()];
    const sum = all.reduce((before, wheel) => before + wheel.done, 0);
    const known = all.every((wheel) => wheel.total !== null);
    const expected = known ? all.reduce((before, wheel) => before + (wheel.total ?? 0), 0) : null;
    this.#report({ type: 'bytes', label: this.#label, done: sum, total: expected });
  }
}
