/** The embedded platform's program: the platform in its process, the store in a thread of it. One file serves both. */
import { isMainThread } from 'node:worker_threads';
import { releaseMemory } from './releaseMemory.ts';

releaseMemory();
if (isMainThread) {
  // An editor's runtime needs this of whoever starts it as Node; nothing that the platform starts does.
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const { runPlatform } = await import('./runPlatform.ts');
  await runPlatform(new URL(import.meta.url));
} else await import('./store/thread.ts');
