/**
 * The embedded platform's process. Its argument is the options as JSON. It reports to its parent over the IPC
 * channel that it is ready or why it failed, and closes the channel. It runs until SIGTERM, SIGINT or ten
 * idle minutes.
 */
import { inspect } from 'node:util';
import { ToolkitError } from '../contract/errors.ts';
import type { PlatformStartMessage } from '../contract/platformOptions.ts';
import { HOME_FILES } from '../contract/stateManager.ts';
import { startPlatform } from './platform.ts';
import { readPlatformOptions } from './platformOptions.ts';

/** @param entry The program's own module. Loaded in a thread, it runs the store. */
export async function runPlatform(entry: URL): Promise<void> {
  const stopped = stopSignal();
  try {
    const platform = await startPlatform(readPlatformOptions(process.argv[2]), entry);
    await notifyParent({ type: 'ready', record: platform.record });
    if (!platform.another) {
      await Promise.race([platform.idle, stopped]);
      await platform.stop();
    }
  } catch (error) {
    const failure = error instanceof ToolkitError ? error : notStarted(error);
    // The parent writes it to the platform's log.
    process.stderr.write(`${error instanceof ToolkitError ? error.message : inspect(error)}\n`);
    await notifyParent({ type: 'failed', error: failure.toBody() });
    process.exitCode = failure.exitCode;
  }
}

function notStarted(cause: unknown): ToolkitError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ToolkitError('PLATFORM_START_FAILED', `The platform did not start: ${why}.`, {
    hint: `See the platform log: ${HOME_FILES.platformLog} in TOOLKIT_HOME.`,
    cause,
  });
}

/**
 * Listens from the start, so that no signal interrupts the start. Closing the terminal (SIGHUP) is ignored.
 */
function stopSignal(): Promise<void> {
  process.on('SIGHUP', () => {});
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}

/** Sends the message and closes the channel. The parent may already have ended. */
async function notifyParent(message: PlatformStartMessage): Promise<void> {
  if (!process.send || !process.connected) return;
  await new Promise<void>((resolve) => process.send!(message, undefined, undefined, () => resolve()));
  if (process.connected) process.disconnect();
}
