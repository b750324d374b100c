/** A project's folder → batches of places that were created, changed or removed. */
import path from 'node:path';
import { watch } from 'chokidar';
import { OUTPUT_DIR } from '../contract/names.ts';
import { isIgnoredFolder } from '../source/discovery/ignoreRules.ts';
import { fileStamp } from '../source/fileStamp.ts';

/** A burst, such as a switch of branches, ends when nothing has come for this long, milliseconds. */
const QUIET_MS = 25;
/**
 * Chokidar drops what happens to a file this soon after a change of it, such as a formatter that runs at each save. So a
 * file is looked at once more, milliseconds.
 */
const DROPPED_MS = 50;
/** However long a burst is, what came is handed on after this, milliseconds. */
const LONGEST_MS = 500;

/**
 * Watches until `close`. Folders that never belong to a project, such as virtual environments, are not entered.
 *
 * @param changed - Called with places relative to the root, with `/`; never while a former call is under way.
 * @returns Ends the watch.
 */
export async function watchProject(
  root: string,
  changed: (places: readonly string[]) => Promise<void>,
): Promise<() => Promise<void>> {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let since = 0;
  let working: Promise<void> = Promise.resolve();
  const lookingAgain = new Set<NodeJS.Timeout>();
  const notice = (place: string) => {
    waiting.add(place);
    if (!timer) since = performance.now();
    else clearTimeout(timer);
    timer = setTimeout(hand, performance.now() - since > LONGEST_MS ? 0 : QUIET_MS);
  };
  const hand = () => {
    timer = null;
    const places = [...waiting];
    waiting.clear();
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
    ignored: (place) => isLeftOut(path.relative(root, place)),
    followSymlinks: true,
  });
  watcher.on('all', (_event, place) => {
    notice(path.relative(root, place).split(path.sep).join('/'));
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return async () => {
    for (const one of [...lookingAgain, ...(timer ? [timer] : [])]) clearTimeout(one);
    await watcher.close();
    await working;
  };
}

function isLeftOut(relative: string): boolean {
  return relative
    .split(path.sep)
    .some((name) => name !== '' && (isIgnoredFolder(name) || name === OUTPUT_DIR || name === '.git'));
}
