/**
 * Locked wheels → files in TOOLKIT_HOME/cache/wheels, named by their sha256. Downloads a few at once, resumes what was
 * cut off, and gives a file its final name only after its hash was checked.
 */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ReportProgress } from '../../contract/progress.ts';
import { HOME_FILES } from '../../contract/stateManager.ts';
import { asWriteError, systemCode } from '../fileErrors.ts';
import type { LocalWheel } from '../wheels/localWheel.ts';
import { downloadWheel, sha256Of } from './downloadWheel.ts';
import type { LockedPackage } from './lock.ts';

/** Downloads, or files read, at the same time. */
const PARALLEL = 6;

/** What fetching needs. */
export interface FetchOptions {
  toolkitHome: string;
  /** Origin → Authorization header, asked for only when something must be downloaded. */
  authorizations: () => Promise<ReadonlyMap<string, string>>;
  /** Told each wheel's size as it becomes known; may throw to stop early. */
  onSize: (wheel: { name: string; version: string; bytes: number }) => void;
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
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw asWriteError(error, folder);
    });
    const authorizations = await options.authorizations();
    const progress = new DownloadProgress(missing.length, options.report);
    await inParallel(missing, options.signal, async ({ one, index }, signal) => {
      const target = path.join(folder, `${one.sha256}.whl`);
      const onBytes = (done: number, total: number | null) => progress.update(one.name, done, total);
      const onTotal = (bytes: number) => options.onSize({ name: one.name, version: one.version, bytes });
      await downloadWheel(one, target, { authorizations, onBytes, onTotal, signal });
      wheels[index] = await localWheel(one, target);
    });
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
  const file = path.join(folder, `${wanted.sha256}.whl`);
  try {
    return (await sha256Of(file, signal)) === wanted.sha256 ? await localWheel(wanted, file) : null;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function localWheel({ name, version, sha256 }: LockedPackage, file: string): Promise<LocalWheel> {
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

  constructor(count: number, report: ReportProgress) {
    this.#label = `Fetching ${count} ${count === 1 ? 'wheel' : 'wheels'}`;
    this.#report = report;
  }

  update(name: string, done: number, total: number | null): void {
    this.#wheels.set(name, { done, total });
    const all = [...this.#wheels.values()];
    const sum = all.reduce((before, wheel) => before + wheel.done, 0);
    const known = all.every((wheel) => wheel.total !== null);
    const expected = known ? all.reduce((before, wheel) => before + (wheel.total ?? 0), 0) : null;
    this.#report({ type: 'bytes', label: this.#label, done: sum, total: expected });
  }
}
