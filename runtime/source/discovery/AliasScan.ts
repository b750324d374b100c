/**
 * A module that exports `Endpoint` under another name, or what makes endpoints → the files without the words of a
 * declaration that may import it.
 */
import type { Steps } from '../steps.ts';
import { type Alias, aliasImport } from './aliasImport.ts';

export class AliasScan {
  readonly #imports: (bytes: Buffer) => boolean;
  readonly #found = new Set<string>();
  readonly #waiting: Set<string>;

  /** `files` are the ones to scan, once each. */
  constructor(alias: Alias, files: Iterable<string>) {
    this.#imports = aliasImport(alias);
    this.#waiting = new Set(files);
  }

  /** Scans the files that are waiting, and returns all that may import it. */
  *files(read: (file: string) => Buffer | null): Steps<ReadonlySet<string>> {
    for (const file of this.#waiting) {
      const bytes = read(file);
      if (bytes && this.#imports(bytes)) this.#found.add(file);
      this.#waiting.delete(file);
      yield;
    }
    return this.#found;
  }

  /** A file has changed. `lookAgain` is false when it is gone or must not be scanned again. */
  changed(file: string, lookAgain: boolean): void {
    this.#found.delete(file);
    if (lookAgain) this.#waiting.add(file);
    else this.#waiting.delete(file);
  }
}
