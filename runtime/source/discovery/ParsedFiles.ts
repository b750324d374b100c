/** Texts → facts. Each text is parsed on first use, by an engine that is loaded on first use. */
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { FileBinder } from '../binder/FileBinder.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { Steps } from '../steps.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';
import { hasFault, layoutFaultOf } from '../syntax/findFault.ts';
import { loadParser } from '../syntax/loadParser.ts';
import { isLarge } from '../syntax/readSegment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { FactsCache } from './FactsCache.ts';

/**
 * Above this many characters, a file that cannot declare anything counts as data: only its layout is checked.
 */
const DATA_SIZE = 32_768;

export interface ParseOptions {
  /** Folder in which facts are cached between commands; without it, nothing is cached. */
  cacheDir?: string | undefined;
  /** Loaded on first use if not given. */
  parser?: SyntaxParser;
  /** Called for each file that crashes the reader; without it, the error is thrown. */
  onCrash?: (file: string, error: unknown) => void;
}

export class ParsedFiles {
  readonly #options: ParseOptions;
  readonly #cache: FactsCache;
  readonly #facts = new Map<string, FileFacts | null>();
  /** The last known facts of files that have changed since. */
  readonly #before = new Map<string, FileFacts>();
  readonly #faults = new Map<string, SyntaxFault | null>();
  /** Files whose text is being read. */
  readonly #reading = new Set<string>();
  #parser: SyntaxParser | null;
  /** Number of UTF-16 units parsed so far. */
  #parsed = 0;

  constructor(root: string, options: ParseOptions) {
    this.#options = options;
    this.#parser = options.parser ?? null;
    this.#cache = new FactsCache(options.cacheDir ?? null, root);
  }

  /** Facts of a file; undefined when they have not been read yet. */
  known(file: string): FileFacts | null | undefined {
    return this.#facts.get(file);
  }

  /** Files that have changed since their facts were read. */
  get changed(): Iterable<string> {
    return this.#before.keys();
  }

  /**
   * Reads facts that are not known. Facts that equal the previous ones are returned as the same object.
   *
   * @param text - The file's text, null when it has none.
   * @param waiting - Number of UTF-16 units in other texts that have yet to be parsed.
   */
  *read(file: string, text: string | null, waiting: () => number): Steps<FileFacts | null> {
    let facts = text === null ? null : (this.#cache.get(file, text).facts ?? null);
    if (text !== null && !facts) {
      yield* this.#loadEngine(text.length, waiting);
      this.#reading.add(file);
      // The facts of a large text outlive V8's space for new objects, which would grow for nothing: by 100 MB
      // for a text of 5 MB.
      if (isLarge(text)) setFlagsFromString('--semi-space-growth-factor=1');
      facts = yield* this.#contained(file, (parser) => new FileBinder(file, parser).steps(text));
      // In the meantime, the file may have changed, or another call may have read it.
      if (!this.#reading.delete(file)) return this.#facts.get(file) ?? facts;
      if (facts) this.#cache.set(file, text, { facts });
    }
    const before = this.#before.get(file);
    this.#before.delete(file);
    const known = before && isDeepStrictEqual(before, facts) ? before : facts;
    this.#facts.set(file, known);
    return known;
  }

  /** The first fault of a text that cannot declare anything; its other facts are not kept. */
  *faultOf(file: string, textOf: () => string | null, waiting: () => number): Steps<SyntaxFault | null> {
    const known = this.#faults.get(file);
    if (known !== undefined) return known;
    const text = textOf();
    let fault = text === null ? null : this.#cache.get(file, text).fault;
    if (text !== null && fault === undefined) {
      if (text.length > DATA_SIZE) fault = layoutFaultOf(text);
      else {
        yield* this.#loadEngine(text.length, waiting);
        fault = yield* this.#contained(file, (parser) => faultIn(file, text, parser));
      }
      this.#cache.set(file, text, { fault });
    }
    this.#faults.set(file, fault ?? null);
    return fault ?? null;
  }

  /**
   * Forgets a file that has changed or was removed. Pass its previous facts as `before` if they were not read
   * from disk.
   */
  forget(file: string, before: FileFacts | null = this.#facts.get(file) ?? null): void {
    if (before) this.#before.set(file, before);
    this.#facts.delete(file);
    this.#faults.delete(file);
    this.#reading.delete(file);
  }

  /** Drops the previous facts of a file that will not be read again. */
  drop(file: string): void {
    this.#before.delete(file);
  }

  /** Saves the facts for the next command; `isThere` says whether to keep a file's facts. */
  save(isThere: (file: string) => boolean): void {
    this.#cache.save(isThere);
  }

  *#loadEngine(length: number, waiting: () => number): Steps {
    const parsed = this.#parsed + length;
    if (!this.#parser || parsed > this.#parser.capacity) {
      yield loadParser(parsed + waiting()).then((parser) => {
        this.#parser = parser;
      });
    }
    this.#parsed = parsed;
  }

  /** A crash of the reader affects only the file that caused it. */
  *#contained<Result>(file: string, work: (parser: SyntaxParser) => Steps<Result>): Steps<Result | null> {
    try {
      return yield* work(this.#parser!);
    } catch (error) {
      if (!this.#options.onCrash) throw error;
      this.#options.onCrash(file, error);
      return null;
    }
  }
}

/** Most texts have no fault, and binding their names would only create garbage. */
function* faultIn(file: string, text: string, parser: SyntaxParser): Steps<SyntaxFault | null> {
  return hasFault(text, parser) ? (yield* new FileBinder(file, parser).steps(text)).fault : null;
}
