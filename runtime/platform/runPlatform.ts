/**
 * The embedded platform's process: one argument, the options as JSON. It tells its starter over the IPC channel that
 * it is ready or why not, lets go of the channel, and runs until SIGTERM, SIGINT or ten idle minutes.
 */
import { ToolkitError } from '../contract/errors.ts';
import type { PlatformStartMessage } from '../contract/platformOptions.ts';
import { startPlatform } from './platform.ts';
import { readPlatformOptions } from './platformOptions.ts';

/** @param entry The program's own module, which in a thread is the store's. */
export async function runPlatform(entry: URL): Promise<void> {
  const stopped = stopSignal();
  try {
    const platform = await startPlatform(readPlatformOptions(process.argv[2]), entry);
    await tellStarter({ type: 'ready', record: platform.record });
    if (!platform.another) {
      await Promise.race([platform.idle, stopped]);
      await platform.stop();
    }
  } catch (error) {
    const told =
      error instanceof ToolkitError
        ? error
        : new ToolkitError('PLATFORM_START_FAILED', `The platform did not start: ${String(error)}`, {
            cause: error,
          });
    process.stderr.write(`${told.message}\n`);
    await tellStarter({ type: 'failed', error: told.toBody() });
    process.exitCode = told.exitCode;
  }
}

/** Listens from the first moment on, so that no signal ends a start half way. A closed terminal ends nothing. */
function stopSignal(): Promise<void> {
  process.on('SIGHUP', () => {});
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}

/** Sends the one message and closes the channel; a starter that is gone meanwhile misses nothing. */
async function tellStarter(message: PlatformStartMessage): Promise<void> {
  if (!process.send || !process.connected) return;
  await new Promise<void>((resolve) => process.send!(message, undefined, undefined, () => resolve()));
  if (process.connected) process.disconnect();
}
