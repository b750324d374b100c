/** A project's folder → batches of places that were created, changed or removed. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { watch } from 'chokidar';
import { OUTPUT_DIR } from '../contract/names.ts';
import { isIgnoredFolder } from '../source/discovery/ignoreRules.ts';
import { fileStamp } from '../source/fileStamp.ts';

/** Most saves are of one file: it is handed on when nothing else has come for this long, milliseconds. */
const ALONE_MS = 5;
/** A burst, such as a switch of branches, ends when nothing has come for this long, milliseconds. */
const QUIET_MS = 25;
/**
 * Chokidar drops what happens to a file this soon after a change of it, such as a formatter that runs at each save. So a
 * file is looked at once more, milliseconds.
 */
const DROPPED_MS = 50;
/** Milliseconds after which an empty file is taken to be empty: most saves empty a file before they write it. */
const EMPTY_MS = 250;
/** However long a burst is, what came is handed on after this, milliseconds. */
const LONGEST_MS = 500;

/** What users can do about a place that cannot be watched. */
const REPAIRS: Readonly<Record<string, string>> = {
  EACCES: 'make it readable for you',
  ELOOP: 'remove the link that leads to itself',
  EMFILE: 'raise the limit of open files (ulimit -n)',
  ENOSPC: 'raise the limit of watched files (sysctl fs.inotify.max_user_watches)',
};

/**
 * Watches until `close`. Folders that never belong to a project, such as virtual environments, are not entered.
 *
 * @param changed - Called with places relative to the root, with `/`; never while a former call is under way.
 * @param warn - Called once for each reason for which a place cannot be watched. The others are watched all the same.
 * @returns Ends the watch.
 */
export async function watchProject(
  root: string,
  changed: (places: readonly string[]) => Promise<void>,
  warn: (message: string) => void,
): Promise<() => Promise<void>> {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let since = 0;
  let working: Promise<void> = Promise.resolve();
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
    working = working.then(() => changed(places));
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
    // A limit of the machine that is reached concerns every place from then on.
    const reason = code === 'ENOSPC' || code === 'EMFILE' ? code : `${code} ${place}`;
    if (warned.has(reason)) return;
    warned.add(reason);
    const repair = REPAIRS[code];
    warn(
      `${place} cannot be watched (${code}), so its changes are not picked up${repair ? `: ${repair}, then start dev again` : ''}.`,
    );
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return async () => {
    for (const one of [...lookingAgain, ...(timer ? [timer] : [])]) clearTimeout(one);
    await watcher.close();
    await working;
  };
}

/** Whether a file was emptied a moment ago, which is how most saves begin. Times in the future do not count. */
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

/** Whether a place is a link to a folder around it, whose files would be watched again and again below it. */
function leadsBack(root: string, place: string): boolean {
  try {
    if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
    const target = realpathSync(place) + path.sep;
    for (let folder = place; folder.startsWith(root + path.sep); ) {
      folder = path.dirname(folder);
      if ((realpathSync(folder) + path.sep).startsWith(target)) return true;
    }
  } catch {
    // The watch says why it cannot follow a link.
  }
  return false;
}
