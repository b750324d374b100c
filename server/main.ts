/** The language server's entry: one process for one editor. */
import { setFlagsFromString } from 'node:v8';

// What a keystroke makes is garbage at once. In the room that V8 gives it by itself, ten thousand of them take 180 MB;
// in one megabyte they take 60 and, with a collection every few keystrokes, a tenth of a millisecond more. It is said
// before anything else is loaded, since room that is taken is not given back.
setFlagsFromString('--max-semi-space-size=1');
setFlagsFromString('--semi-space-growth-factor=1');

await import('./connect.ts');
