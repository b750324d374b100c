/** Names by which code means the class `Endpoint` or an instance of it, as far as a file's text has been read. */
import type { FragmentWords } from './Fragment.ts';

const CLASS = 'Endpoint';
const WORD = String.raw`\w\u0080-\uffff`;
const NAME = new RegExp(`^[${WORD}]+$`);

export class KnownNames {
  /** Names that, when called, may declare an endpoint. */
  readonly called = new Set<string>([CLASS]);
  /** Names that may be the class. */
  readonly classes = new Set<string>([CLASS]);

  /** Goes on past a fragment that has been read before. */
  pass({ called, classes }: FragmentWords): void {
    for (const name of called) this.called.add(name);
    for (const name of classes) this.classes.add(name);
  }
}

/** Names that may be known now and were not before, or the other way round. */
export class ChangedNames {
  readonly #names = new Set<string>();

  /** Takes note of what fragments of a stretch of text made known before, and make known now. */
  compare(before: readonly FragmentWords[], now: readonly FragmentWords[]): void {
    for (const kind of ['called', 'classes'] as const) {
      const old = before.flatMap((words) => words[kind]);
      const fresh = now.flatMap((words) => words[kind]);
      if (old.join() === fresh.join()) continue;
      // In broken code an import may seem to name what is no name, and what nothing else can name.
      for (const name of [...old, ...fresh]) if (NAME.test(name)) this.#names.add(name);
    }
  }

  /** Whether what is read of a part of a text may depend on them: whether it has one of them as a word. */
  concern(whole: string, start: number, length: number): boolean {
    if (this.#names.size === 0) return false;
    const names = [...this.#names].join('|');
    return new RegExp(`(?<![${WORD}])(?:${names})(?![${WORD}])`).test(whole.slice(start, start + length));
  }
}
