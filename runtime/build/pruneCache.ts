/** Keeps TOOLKIT_HOME/cache from growing for ever: what no build has used for a month goes, looked for once a day. */
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportProgress } from '../contract/progress.ts';
import { HOME_FILES } from '../contract/stateManager.ts';
import { systemCode } from './fileErrors.ts';

const DAY = 24 * 3_600_000;
const UNUSED = 30 * DAY;
/** Folders of builds; the file of the last look stands beside them. */
const FOLDERS = ['parts', 'wheels', 'building'];
const LAST_LOOK = 'pruned';

/** Says that a file of the cache was used now. */
export async function markUsed(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch((error: unknown) => {
    // A cache that takes no writes serves all the same.
    if (!['EROFS', 'EACCES', 'EPERM', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
  });
}

/** Removes what was not used for a month, when the last look was a day ago; a failure is a warning. */
export async function pruneCache(toolkitHome: string, report: ReportProgress): Promise<void> {
  const cache = path.join(toolkitHome, HOME_FILES.cache);
  const lastLook = path.join(cache, LAST_LOOK);
  try {
    if (Date.now() - (await dateOf(lastLook)) < DAY) return;
    for (const folder of FOLDERS) await pruneFolder(path.join(cache, folder));
    await writeFile(lastLook, '');
  } catch (error) {
    // No cache yet, or one that takes no writes and so does not grow.
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
  // Backwards: a part goes before the note that tells its age.
  for (const name of names.toSorted().toReversed()) {
    // A part is as old as its note, which each build that takes it marks; one that is being made has none yet.
    const note = path.join(folder, name.replace(/\.tar\.gz$/, '.json'));
    const used = (await dateOf(note)) || (await dateOf(path.join(folder, name)));
    if (Date.now() - used < UNUSED) continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** Milliseconds; 0 where there is no such file. */
async function dateOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    (error: unknown) => {
      if (systemCode(error) === 'ENOENT') return 0;
      throw error;
    },
  );
}
