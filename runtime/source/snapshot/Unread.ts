/** Files whose facts a computation asked for before anybody had read them: they are read, and it is done again. */
import type { FileFacts } from '../binder/FileFacts.ts';
import type { ProjectFiles } from '../discovery/ProjectFiles.ts';
import type { Steps } from '../steps.ts';

export class Unread {
  readonly #files: ProjectFiles;
  readonly #asked = new Set<string>();

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  get isEmpty(): boolean {
    return this.#asked.size === 0;
  }

  /** The facts of a file as far as they are known; what is not counts as empty for now. */
  facts(file: string, known: FileFacts | null | undefined): FileFacts | null {
    if (known === undefined) this.#asked.add(file);
    return known ?? null;
  }

  /** Reads what was asked for, a file in each step. */
  *read(): Steps {
    for (const file of this.#asked) {
      yield* this.#files.facts(file);
      yield;
    }
  }
}
