/** Takes hold of a home: only one process has its store. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../contract/errors.ts';
import type { PlatformRecord } from '../contract/stateManager.ts';
import { findRunning } from './record.ts';
import { Store } from './store/store.ts';

/** How long a second start waits for the first one of the same home to answer, or to end. */
const OTHER_START_MS = 20_000;

/**
 * The store, which only one process holds; else the record of the one that does.
 *
 * @param entry The program's own module, which in a thread is the store's.
 * @throws ToolkitError PLATFORM_NEWER, PLATFORM_START_FAILED, STORAGE_FULL.
 */
export async function openStore(home: string, file: string, entry: URL): Promise<Store | PlatformRecord> {
  const deadline = performance.now() + OTHER_START_MS;
  for (;;) {
    const opened = (await Store.open(file, entry)) ?? (await findRunning(home));
    if (opened) return opened;
    if (performance.now() > deadline) {
      throw new ToolkitError(
        'PLATFORM_START_FAILED',
        'Another platform of this TOOLKIT_HOME runs and does not answer.',
        {
          hint: 'End it with `toolkit platform stop`, then try again.',
        },
      );
    }
    await sleep(100);
  }
}
