/** Locks a TOOLKIT_HOME: only one process can hold its store. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../contract/errors.ts';
import type { PlatformRecord } from '../contract/stateManager.ts';
import { findRunning } from './record.ts';
import { Store } from './store/store.ts';

/** How long a second start in the same TOOLKIT_HOME waits for the first one to respond or to end. */
const OTHER_START_MS = 20_000;

/**
 * Opens the store, or returns the record of the platform that holds it.
 *
 * @param entry The program's own module. Loaded in a thread, it runs the store.
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
        'Another platform process uses the same TOOLKIT_HOME, but does not respond.',
        {
          hint: 'Run "toolkit platform stop", then try again.',
        },
      );
    }
    await sleep(100);
  }
}
