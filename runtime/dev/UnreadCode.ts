/**
 * Files of code that are in a build and that nobody has read as they are there: a build packs what is on disk, and the
 * watch reports a save a moment later.
 */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileStamp } from '../source/fileStamp.ts';

/** Times of files come from a clock that may be so far behind, milliseconds. */
const CLOCK_MS = 10;
/** A file that is written in place is empty for a moment: what it declares would be gone. Milliseconds. */
const EMPTY_MS = 100;
const LOOK_MS = 10;

export class UnreadCode {
  readonly #root: string;
  /** When the whole project was read for the first time, as `Date.now()` gives it. */
  readonly #begun = Date.now();
  /** File → its stamp just before it was read. */
  readonly #read = new Map<string, string>();

  /** Made before the project is read for the first time. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Notes that files are going to be read, once those that are being written have a text. */
  async reading(files: readonly string[]): Promise<void> {
    const until = performance.now() + EMPTY_MS;
    while (performance.now() < until && files.some((file) => this.#isEmpty(file))) await sleep(LOOK_MS);
    for (const file of files) this.#read.set(file, this.#stampOf(file));
  }

  /** Those among the files that are not as they were when they were read. */
  among(files: readonly string[]): string[] {
    return files.filter((file) => {
      const read = this.#read.get(file);
      return read === undefined ? this.#isNew(file) : read !== this.#stampOf(file);
    });
  }

  /** Whether a file that was only read at first has changed since. */
  #isNew(file: string): boolean {
    const found = lstatSync(path.join(this.#root, file), { throwIfNoEntry: false });
    return !found || found.ctimeMs >= this.#begun - CLOCK_MS;
  }

  #isEmpty(file: string): boolean {
    const found = lstatSync(path.join(this.#root, file), { throwIfNoEntry: false });
    return file.endsWith('.py') && found?.size === 0;
  }

  #stampOf(file: string): string {
    return fileStamp(path.join(this.#root, file));
  }
}
