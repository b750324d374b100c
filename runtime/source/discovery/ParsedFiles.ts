/** Texts → facts, each parsed when it is first asked for, by an engine that is loaded when it is first needed. */
import type { FileFacts } from '../binder/FileFacts.ts';
import { readFacts } from '../binder/readFacts.ts';
import { loadParser } from '../syntax/loadParser.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { FactsCache } from './FactsCache.ts';

/** Facts were asked for that are not kept, and no syntax engine is loaded, or none for so much text. */
class EngineNeeded extends Error {
  /** UTF-16 units that are to be parsed, as far as known. */
  readonly length: number;

  constructor(length: number) {
    super('A syntax engine is needed.');
    this.length = length;
  }
}

export interface ParseOptions {
  /** Where facts are kept between commands; nothing is kept without one. */
  cacheDir?: string | undefined;
  /** Loaded when it is first needed, unless it is given. */
  parser?: SyntaxParser;
  /** Called before each file that is read or parsed for a question; may throw to put the question off. */
  beforeWork?: () => void;
  /** Told of a file whose facts cannot be read for a fault of ours; without it the fault is thrown. */
  onCrash?: (file: string, error: unknown) => void;
}

export class ParsedFiles {
  readonly #options: ParseOptions;
  readonly #cache: FactsCache;
  readonly #facts = new Map<string, FileFacts | null>();
  #parser: SyntaxParser | null;
  /** UTF-16 units parsed so far. */
  #parsed = 0;

  constructor(root: string, options: ParseOptions) {
    this.#options = options;
    this.#parser = options.parser ?? null;
    this.#cache = new FactsCache(options.cacheDir ?? null, root);
  }

  /** Whether the facts of a file are known. */
  has(file: string): boolean {
    return this.#facts.has(file);
  }

  /**
   * Facts of a file; null when it has no text.
   *
   * @param textOf - Its text.
   * @param waiting - UTF-16 units of other texts that are still to be parsed.
   */
  factsOf(file: string, textOf: () => string | null, waiting: () => number): FileFacts | null {
    const known = this.#facts.get(file);
    if (known !== undefined) return known;
    const text = textOf();
    const facts = text === null ? null : (this.#cache.get(file, text) ?? this.#parse(file, text, waiting));
    this.#facts.set(file, facts);
    return facts;
  }

  /** The file has changed, or is gone. */
  forget(file: string): void {
    this.#facts.delete(file);
  }

  /**
   * Work that asks for facts. The syntax engine is loaded, and the work begun again, when facts are asked for that no
   * earlier command kept.
   *
   * @param isThere - Whether a file's facts are worth keeping.
   */
  async withEngine<Result>(work: () => Result, isThere: (file: string) => boolean): Promise<Result> {
    try {
      for (;;) {
        try {
          return work();
        } catch (error) {
          if (!(error instanceof EngineNeeded)) throw error;
          this.#parser = await loadParser(error.length);
        }
      }
    } finally {
      this.#cache.save(isThere);
    }
  }

  #parse(file: string, text: string, waiting: () => number): FileFacts | null {
    const parsed = this.#parsed + text.length;
    if (!this.#parser || parsed > this.#parser.capacity) throw new EngineNeeded(parsed + waiting());
    this.#parsed = parsed;
    this.#options.beforeWork?.();
    try {
      const facts = readFacts({ file, text }, this.#parser);
      this.#cache.set(file, text, facts);
      return facts;
    } catch (error) {
      if (!this.#options.onCrash) throw error;
      this.#options.onCrash(file, error);
      return null;
    }
  }
}
