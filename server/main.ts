/** Entry point of the language server: one process for one editor. */
import { setFlagsFromString } from 'node:v8';

// Set before anything else is loaded, because V8 does not return memory that it has taken.
for (const flag of [
  // Most objects that a keystroke makes are garbage at once. With V8's default space for new objects, ten thousand
  // keystrokes take 180 MB. With one megabyte they take 60 MB, and a collection every few keystrokes adds a tenth of a
  // millisecond.
  '--max-semi-space-size=1',
  '--semi-space-growth-factor=1',
  // A server works in short bursts. V8's baseline and optimizing compilers take 10 MB, or 13 MB where many files
  // mention endpoints, and make no request faster. Without them, only the first reading of a file of megabytes takes a
  // third longer.
  '--no-sparkplug',
  '--no-opt',
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
]) {
  setFlagsFromString(flag);
}

await import('./connect.ts');
