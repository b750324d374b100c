/**
 * A name that a module offers → the files without `toolkit_sdk` that may take it, directly or through others, known from
 * their texts. The words of import statements are kept for each file, so that only the few that matter are read again.
 */
import type { Steps } from '../steps.ts';
import { mayTakeFrom } from './importedWords.ts';
import { type OfferedName, takesName } from './takesName.ts';

/** The files that may take one name. */
interface Scan {
  offered: OfferedName;
  takes: (text: string) => string[] | null;
  /** What each file that takes it offers in turn. */
  found: Map<string, readonly OfferedName[]>;
  /** Files to be read. */
  waiting: Set<string>;
}

export class Importers {
  readonly #words = new Map<string, readonly string[]>();
  /** One object for each word, which many files say. */
  readonly #interned = new Map<string, string>();
  readonly #scans = new Map<string, Scan>();

  /** A file was looked at: the words of its imports. */
  add(file: string, words: readonly string[]): void {
    if (words.length === 0) return;
    const own = [...new Set(words)].map((word) => this.#intern(word));
    this.#words.set(file, own);
    for (const { offered, waiting } of this.#scans.values())
      if (mayTakeFrom(own, offered.file)) waiting.add(file);
  }

  /** A file has changed, or is gone. */
  delete(file: string): void {
    this.#words.delete(file);
    for (const { found, waiting } of this.#scans.values()) {
      found.delete(file);
      waiting.delete(file);
    }
  }

  /** The files that may take one of the names, and what they offer in turn. Others than these names are forgotten. */
  *of(names: readonly OfferedName[], textOf: (file: string) => string | null): Steps<Set<string>> {
    const files = new Set<string>();
    const asked = new Map(names.map((one) => [keyOf(one), one]));
    // Grows while it is walked.
    for (const [key, offered] of asked) {
      const scan = this.#scans.get(key) ?? this.#start(key, offered);
      yield* finish(scan, textOf);
      for (const [file, offers] of scan.found) {
        files.add(file);
        for (const one of offers) asked.set(keyOf(one), one);
      }
    }
    for (const key of this.#scans.keys()) if (!asked.has(key)) this.#scans.delete(key);
    return files;
  }

  #start(key: string, offered: OfferedName): Scan {
    const waiting = new Set<string>();
    for (const [file, words] of this.#words) if (mayTakeFrom(words, offered.file)) waiting.add(file);
    const scan = { offered, takes: takesName(offered), found: new Map(), waiting };
    this.#scans.set(key, scan);
    return scan;
  }

  #intern(word: string): string {
    const known = this.#interned.get(word);
    if (known !== undefined) return known;
    this.#interned.set(word, word);
    return word;
  }
}

function* finish({ takes, found, waiting }: Scan, textOf: (file: string) => string | null): Steps {
  for (const file of waiting) {
    const names = takes(textOf(file) ?? '');
    if (names)
      found.set(
        file,
        names.map((name) => ({ file, name })),
      );
    waiting.delete(file);
    yield;
  }
}

function keyOf({ file, name }: OfferedName): string {
  return `${file}:${name}`;
}
