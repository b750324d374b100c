/**
 * Modules that export names → the files that may import one of them, directly or through other files. The
 * words in each file's imports show which files lead to which modules; only those few files are searched for
 * the names.
 */
import type { Steps } from '../steps.ts';
import { wordsThatLeadTo } from './importedWords.ts';

/** Number of files between two steps. */
const SLICE = 1_000;
/** Reading a project asks for a few sets of names, each larger than the previous one. */
const MOST_KEPT = 8;
const NAME_BYTE = String.raw`[\w\u0080-\uffff]`;
/** In broken code, an import may bind something that is not a name. */
const NAME = /^[\w\u0080-\uffff]+$/;

export class Importers {
  readonly #words = new Map<string, readonly string[]>();
  /** One string object per word, because many files contain the same words. */
  readonly #interned = new Map<string, string>();
  /** The files that lead to the modules of the last request; null once imports have changed. */
  #leading: { modules: string; files: ReadonlySet<string> } | null = null;
  /** Number of times that imports have changed. */
  #changes = 0;
  /** For each set of names, whether files contain one of them. */
  readonly #said = new Map<string, Map<string, boolean>>();

  /** Sets the words of a file's imports, after the file was read. */
  set(file: string, words: readonly string[]): void {
    for (const said of this.#said.values()) said.delete(file);
    const own = [...new Set(words)].map((word) => this.#intern(word));
    const before = this.#words.get(file) ?? [];
    if (own.length === before.length && own.every((word, at) => word === before[at])) return;
    this.#leading = null;
    this.#changes += 1;
    this.#words.set(file, own);
  }

  /**
   * The files that lead to one of the modules and contain one of the names.
   *
   * @param isAsked - Whether to return a file; other files only lead to further files.
   */
  *of(
    modules: readonly string[],
    names: ReadonlySet<string>,
    isAsked: (file: string) => boolean,
    textOf: (file: string) => string | null,
  ): Steps<Set<string>> {
    const said = this.#saidOf([...names].sort().join('|'));
    const anyName = new RegExp(
      `(?<!${NAME_BYTE})(?:${[...names].filter((name) => NAME.test(name)).join('|')})(?!${NAME_BYTE})`,
    );
    const found = new Set<string>();
    for (const file of yield* this.#leadingTo(modules)) {
      if (!isAsked(file)) continue;
      const says = said.get(file) ?? anyName.test((textOf(file) ?? '').normalize('NFKC'));
      said.set(file, says);
      if (says) found.add(file);
      yield;
    }
    return found;
  }

  *#leadingTo(modules: readonly string[]): Steps<ReadonlySet<string>> {
    const key = modules.join('\n');
    if (this.#leading?.modules === key) return this.#leading.files;
    const changes = this.#changes;
    const leading = { modules: key, files: new Set<string>() };
    const wanted = new Set(modules.flatMap(wordsThatLeadTo));
    for (let before = -1; before !== leading.files.size; ) {
      before = leading.files.size;
      let at = 0;
      for (const [file, words] of this.#words) {
        if ((at += 1) % SLICE === 0) yield;
        if (leading.files.has(file) || !words.some((word) => wanted.has(word))) continue;
        leading.files.add(file);
        for (const word of wordsThatLeadTo(file)) wanted.add(word);
      }
    }
    if (changes === this.#changes) this.#leading = leading;
    return leading.files;
  }

  #saidOf(names: string): Map<string, boolean> {
    const known = this.#said.get(names) ?? new Map<string, boolean>();
    // Keeps the entries that were used last.
    this.#said.delete(names);
    this.#said.set(names, known);
    for (const oldest of this.#said.keys()) if (this.#said.size > MOST_KEPT) this.#said.delete(oldest);
    return known;
  }

  #intern(word: string): string {
    const known = this.#interned.get(word);
    if (known !== undefined) return known;
    this.#interned.set(word, word);
    return word;
  }
}
