/** Watches a project's folder and reports created, changed and removed files and folders in batches. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { watch } from 'chokidar';
import { OUTPUT_DIR } from '../contract/names.ts';
import { isIgnoredFolder } from '../source/discovery/ignoreRules.ts';
import { fileStamp } from '../source/fileStamp.ts';

/** In milliseconds. Most saves change one file: it is reported when no other change follows within this time. */
const ALONE_MS = 5;
/** In milliseconds. A burst, such as switching branches, ends when no change follows within this time. */
const QUIET_MS = 25;
/**
 * In milliseconds. Chokidar drops events this soon after a change of the same file, for example from a formatter that
 * runs on save. So each changed file is checked once more after this time.
 */
const DROPPED_MS = 50;
/** In milliseconds. A file that stays empty this long counts as empty: most saves empty a file before they write it. */
const EMPTY_MS = 250;
/** In milliseconds. Changes of a longer burst are reported after this time. */
const LONGEST_MS = 500;

/** Fixes for paths that cannot be watched, by error code. */
const FIXES: Readonly<Record<string, string>> = {
  EACCES: 'give yourself read permission',
  ELOOP: 'remove the link that points to itself',
  EMFILE: 'raise the limit of open files (ulimit -n)',
  ENOSPC: 'raise the limit of watched files (sysctl fs.inotify.max_user_watches)',
};

/**
 * Watches a folder. Skips folders that never belong to a project, such as virtual environments.
 *
 * @param changed - Called with paths relative to the root, with `/`. Never called while the previous call is pending:
 *   later changes are collected for one next call, and abort the signal of the pending one.
 * @param warn - Called once for each reason why a path cannot be watched. Other paths are still watched.
 * @returns A function that ends the watch.
 */
export async function watchProject(
  root: string,
  changed: (places: readonly string[], overtaken: AbortSignal) => Promise<void>,
  warn: (message: string) => void,
): Promise<() => Promise<void>> {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let since = 0;
  let working: { ended: Promise<void>; overtaken: AbortController } | null = null;
  const lookingAgain = new Set<NodeJS.Timeout>();
  const warned = new Set<string>();
  const notice = (place: string) => {
    waiting.add(place);
    if (!timer) since = performance.now();
    else clearTimeout(timer);
    const quiet = waiting.size === 1 ? ALONE_MS : QUIET_MS;
    timer = setTimeout(hand, performance.now() - since > LONGEST_MS ? 0 : quiet);
  };
  const hand = () => {
    timer = null;
    if (working) return working.overtaken.abort();
    const unfinished = [...waiting].filter((place) => isBeingWritten(path.join(root, place)));
    const places = [...waiting].filter((place) => !unfinished.includes(place));
    waiting.clear();
    for (const place of unfinished) notice(place);
    if (places.length === 0) return;
    const stamps = places.map((place) => fileStamp(path.join(root, place)));
    const again = setTimeout(() => {
      lookingAgain.delete(again);
      for (const [at, place] of places.entries())
        if (fileStamp(path.join(root, place)) !== stamps[at]) notice(place);
    }, DROPPED_MS);
    lookingAgain.add(again);
    const overtaken = new AbortController();
    const ended = changed(places, overtaken.signal).finally(() => {
      working = null;
      if (waiting.size > 0 && !timer) hand();
    });
    working = { ended, overtaken };
  };
  const watcher = watch(root, {
    ignoreInitial: true,
    ignored: (place) => isLeftOut(path.relative(root, place)) || leadsBack(root, place),
    followSymlinks: true,
  });
  watcher.on('all', (_event, place) => {
    notice(path.relative(root, place).split(path.sep).join('/'));
  });
  watcher.on('error', (error) => {
    const { code = String(error), path: place = root } = error as NodeJS.ErrnoException;
    // A reached limit of the machine affects every further path, so it is reported once.
    const reason = code === 'ENOSPC' || code === 'EMFILE' ? code : `${code} ${place}`;
    if (warned.has(reason)) return;
    warned.add(reason);
    const fix = FIXES[code];
    warn(
      `Cannot watch ${place} (${code}), so changes to it are not applied.${fix ? ` To fix this, ${fix} and start dev again.` : ''}`,
    );
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return async () => {
    await watcher.close();
    for (const one of [...lookingAgain, ...(timer ? [timer] : [])]) clearTimeout(one);
    waiting.clear();
    await working?.ended;
  };
}

/** Whether a file was emptied a moment ago: most saves empty a file first. Timestamps in the future do not count. */
function isBeingWritten(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size === 0 && Math.abs(Date.now() - stats.mtimeMs) < EMPTY_MS;
  } catch {
    return false;
  }
}

function isLeftOut(relative: string): boolean {
  return relative
    .split(path.sep)
    .some((name) => name !== '' && (isIgnoredFolder(name) || name === OUTPUT_DIR || name === '.git'));
}

/** Whether a path is a link to one of its own parent folders: following it would watch the same files endlessly. */
function leadsBack(root: string, place: string): boolean {
  try {
    if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
    const target = realpathSync(place) + path.sep;
    for (let folder = place; folder.startsWith(root + path.sep); ) {
      folder = path.dirname(folder);
      if ((realpathSync(folder) + path.sep).startsWith(target)) return true;
    }
  } catch {
    // The watcher reports links that it cannot follow.
  }
  return false;
}
