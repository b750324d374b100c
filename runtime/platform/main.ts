/**
 * The embedded platform's program. The main thread runs the platform, a second thread the store. Both use
 * this file.
 */
import { isMainThread } from 'node:worker_threads';
import { releaseMemory } from './releaseMemory.ts';

releaseMemory();
if (isMainThread) {
  // An editor's runtime needs this variable to run as Node. The platform's child processes do not.
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const { runPlatform } = await import('./runPlatform.ts');
  await runPlatform(new URL(import.meta.url));
} else await import('./store/thread.ts');
