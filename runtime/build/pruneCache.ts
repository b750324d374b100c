/** Keeps TOOLKIT_HOME/cache from growing forever: once a day, removes what no build has used for a month. */
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportProgress } from '../contract/progress.ts';
import { HOME_FILES } from '../contract/stateManager.ts';
import { systemCode } from './fileErrors.ts';

const DAY = 24 * 3_600_000;
const UNUSED = 30 * DAY;
const FOLDERS = ['parts', 'wheels', 'building'];
/** An empty file next to these folders; its date is that of the last pruning. */
const LAST_PRUNED = 'pruned';

/** Marks a file of the cache as used now. */
export async function markUsed(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch((error: unknown) => {
    // A read-only cache can still be used.
    if (!['EROFS', 'EACCES', 'EPERM', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
  });
}

/** Removes what was not used for a month, unless this was done less than a day ago. A failure is only a warning. */
export async function pruneCache(toolkitHome: string, report: ReportProgress): Promise<void> {
  const cache = path.join(toolkitHome, HOME_FILES.cache);
  const lastPruned = path.join(cache, LAST_PRUNED);
  try {
    if (Date.now() - (await dateOf(lastPruned)) < DAY) return;
    for (const folder of FOLDERS) await pruneFolder(path.join(cache, folder));
    await writeFile(lastPruned, '');
  } catch (error) {
    // There is no cache yet, or it is read-only and does not grow.
    if (['ENOENT', 'EROFS', 'EACCES'].includes(systemCode(error) ?? '')) return;
    const why = systemCode(error) ?? String(error);
    report({ type: 'warning', message: `Old files in ${cache} cannot be removed: ${why}.` });
  }
}

async function pruneFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  // In reverse order, so that a part is removed before the note that has its age.
  for (const name of names.toSorted().toReversed()) {
    // Each build that uses a part updates the date of its note. A part that is being made has no note yet.
    const note = path.join(folder, name.replace(/\.tar\.gz$/, '.json'));
    const used = (await dateOf(note)) || (await dateOf(path.join(folder, name)));
    if (Date.now() - used < UNUSED) continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** Modification time in milliseconds; 0 if there is no such file. */
async function dateOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    (error: unknown) => {
      if (systemCode(error) === 'ENOENT') return 0;
      throw error;
    },
  );
}
