/** Detects a data file that a program keeps writing, such as a log, and warns that each write updates all endpoints. */
import { PROJECT_FILES } from '../contract/names.ts';

/** After this many consecutive saves of only one file, a program is assumed to write it. */
const IN_A_ROW = 5;

export class RewrittenFile {
  readonly #warn: (message: string) => void;
  readonly #named = new Set<string>();
  #file: string | null = null;
  #saves = 0;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /**
   * Records a save. Warns once per file.
   *
   * @param isData - Whether a file ships and is not code, so that a change to it updates every endpoint.
   */
  take(places: readonly string[], isData: (file: string) => boolean): void {
    const file = places.length === 1 ? places[0]! : null;
    this.#saves = file === this.#file ? this.#saves + 1 : 1;
    this.#file = file;
    if (file === null || this.#saves < IN_A_ROW || this.#named.has(file) || !isData(file)) return;
    this.#named.add(file);
    this.#warn(
      `${file} is part of every endpoint, so each change to it updates all of them. If a program writes it, add it to .gitignore or ${PROJECT_FILES.ignore}.`,
    );
  }
}
