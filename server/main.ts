/** Entry point of the language server: one process for one editor. */
import { setFlagsFromString } from 'node:v8';

// These are set before anything else is loaded, since V8 does not give memory back.
for (const flag of [
  // Most objects that a keystroke makes are garbage at once. With V8's default space for new objects, ten thousand
  // keystrokes take 180 MB. With one megabyte they take 60 MB, and a collection every few keystrokes adds a tenth of a
  // millisecond.
  '--max-semi-space-size=1',
  '--semi-space-growth-factor=1',
  // What a server does comes in short bursts. Of V8's compilers the quickest and the most thorough one take 10 MB, 13 MB
  // where many files mention endpoints, and make no request faster; only the first reading of a file of megabytes takes
  // a third longer.
  '--no-sparkplug',
  '--no-opt',
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
]) {
  setFlagsFromString(flag);
}

await import('./connect.ts');
