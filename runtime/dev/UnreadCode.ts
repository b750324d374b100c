/**
 * Finds code files that changed between being read and being built. A build packs the files on disk, but the watcher
 * reports a save a moment later.
 */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileStamp } from '../source/fileStamp.ts';

/** In milliseconds. The clock of file times can be this far behind. */
const CLOCK_MS = 10;
/** In milliseconds. A file written in place is empty for a moment; read then, its endpoints would seem removed. */
const EMPTY_MS = 100;
const POLL_MS = 10;

export class UnreadCode {
  readonly #root: string;
  /** Start of the first reading of the whole project, in milliseconds since the epoch. */
  readonly #begun = Date.now();
  /** File → its stamp just before it was last read. */
  readonly #read = new Map<string, string>();

  /** Must be created before the project is read for the first time. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Records the stamps of files that are about to be read. First waits for those that are being written. */
  async reading(files: readonly string[]): Promise<void> {
    const until = performance.now() + EMPTY_MS;
    while (performance.now() < until && files.some((file) => this.#isEmpty(file))) await sleep(POLL_MS);
    for (const file of files) this.#read.set(file, this.#stampOf(file));
  }

  /** The files that have changed since they were read. */
  among(files: readonly string[]): string[] {
    return files.filter((file) => {
      const read = this.#read.get(file);
      return read === undefined ? this.#isNew(file) : read !== this.#stampOf(file);
    });
  }

  /** For a file read only in the first reading: whether it has changed since. */
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
