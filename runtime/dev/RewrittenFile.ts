/** A data file that is written again and again, such as a log → one sentence on how to keep it from updating endpoints. */
import { PROJECT_FILES } from '../contract/names.ts';

/** So many saves of one file, without another between them, are taken for a program's. */
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
   * Notes a save, and warns once of each file.
   *
   * @param isData - Whether a file ships and is not code, so that it counts for every endpoint.
   */
  take(places: readonly string[], isData: (file: string) => boolean): void {
    const file = places.length === 1 ? places[0]! : null;
    this.#saves = file === this.#file ? this.#saves + 1 : 1;
    this.#file = file;
    if (file === null || this.#saves < IN_A_ROW || this.#named.has(file) || !isData(file)) return;
    this.#named.add(file);
    this.#warn(
      `${file} ships with every endpoint, so each change to it updates all of them. If a program writes it, list it in .gitignore or ${PROJECT_FILES.ignore}.`,
    );
  }
}
