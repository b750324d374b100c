/** Entry point of the language server: one process for one editor. */
import { setFlagsFromString } from 'node:v8';

// Most objects that a keystroke makes are garbage at once. With V8's default space for new objects, ten thousand
// keystrokes take 180 MB. With one megabyte they take 60 MB, and a collection every few keystrokes adds a tenth of a
// millisecond. The limit is set before anything else is loaded, since V8 does not give space back.
setFlagsFromString('--max-semi-space-size=1');
setFlagsFromString('--semi-space-growth-factor=1');

await import('./connect.ts');
