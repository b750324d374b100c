/** A module that offers `Endpoint` by another name → the files without the words of a declaration that may import it. */
import type { Steps } from '../steps.ts';
import { type Alias, aliasImport } from './aliasImport.ts';

export class AliasScan {
  readonly #imports: (bytes: Buffer) => boolean;
  readonly #found = new Set<string>();
  readonly #waiting: Set<string>;

  /** `files` are to be looked at, once each. */
  constructor(alias: Alias, files: Iterable<string>) {
    this.#imports = aliasImport(alias);
    this.#waiting = new Set(files);
  }

  /** Reads what waits. */
  *files(read: (file: string) => Buffer | null): Steps<ReadonlySet<string>> {
    for (const file of this.#waiting) {
      const bytes = read(file);
      if (bytes && this.#imports(bytes)) this.#found.add(file);
      this.#waiting.delete(file);
      yield;
    }
    return this.#found;
  }

  /** A file has changed, or is gone when it is not to be looked at again. */
  changed(file: string, lookAgain: boolean): void {
    this.#found.delete(file);
    if (lookAgain) this.#waiting.add(file);
    else this.#waiting.delete(file);
  }
}
