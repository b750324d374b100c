/** Texts → facts, each parsed when it is first asked for, by an engine that is loaded when it is first needed. */
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

/** Above this many characters, a file that cannot declare anything is data: its layout alone is checked. */
const DATA_SIZE = 32_768;

export interface ParseOptions {
  /** Where facts are kept between commands; nothing is kept without one. */
  cacheDir?: string | undefined;
  /** Loaded when it is first needed, unless it is given. */
  parser?: SyntaxParser;
  /** Told of a file whose facts cannot be read for a fault of ours; without it the fault is thrown. */
  onCrash?: (file: string, error: unknown) => void;
}

export class ParsedFiles {
  readonly #options: ParseOptions;
  readonly #cache: FactsCache;
  readonly #facts = new Map<string, FileFacts | null>();
  /** What was last known of files that have changed since. */
  readonly #before = new Map<string, FileFacts>();
  readonly #faults = new Map<string, SyntaxFault | null>();
  /** Files of which a text is being read. */
  readonly #reading = new Set<string>();
  #parser: SyntaxParser | null;
  /** UTF-16 units parsed so far. */
  #parsed = 0;

  constructor(root: string, options: ParseOptions) {
    this.#options = options;
    this.#parser = options.parser ?? null;
    this.#cache = new FactsCache(options.cacheDir ?? null, root);
  }

  /** Facts of a file; undefined while they are not read. */
  known(file: string): FileFacts | null | undefined {
    return this.#facts.get(file);
  }

  /** Files that have changed since their facts were read. */
  get changed(): Iterable<string> {
    return this.#before.keys();
  }

  /**
   * Reads facts that are not known; of a text that says the same as before they are the same object.
   *
   * @param text - The file's text, null when it has none.
   * @param waiting - UTF-16 units of other texts that are still to be parsed.
   */
  *read(file: string, text: string | null, waiting: () => number): Steps<FileFacts | null> {
    let facts = text === null ? null : (this.#cache.get(file, text).facts ?? null);
    if (text !== null && !facts) {
      yield* this.#loadEngine(text.length, waiting);
      this.#reading.add(file);
      // Facts of a large text outlive V8's room for new objects, which would grow in vain: by 100 MB for a text of 5 MB.
      if (isLarge(text)) setFlagsFromString('--semi-space-growth-factor=1');
      facts = yield* this.#contained(file, (parser) => new FileBinder(file, parser).steps(text));
      // Meanwhile it may have changed, or somebody else may have read it.
      if (!this.#reading.delete(file)) return this.#facts.get(file) ?? facts;
      if (facts) this.#cache.set(file, text, { facts });
    }
    const before = this.#before.get(file);
    this.#before.delete(file);
    const known = before && isDeepStrictEqual(before, facts) ? before : facts;
    this.#facts.set(file, known);
    return known;
  }

  /** The first fault of a text that cannot declare anything; the rest of what it says is not kept. */
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

  /** The file has changed, or is gone. `before` are its facts until now, where it was not read from disk. */
  forget(file: string, before: FileFacts | null = this.#facts.get(file) ?? null): void {
    if (before) this.#before.set(file, before);
    this.#facts.delete(file);
    this.#faults.delete(file);
    this.#reading.delete(file);
  }

  /** The file is gone for good. */
  drop(file: string): void {
    this.#before.delete(file);
  }

  /** Keeps what was read for the next command; `isThere` tells whether a file's facts are worth it. */
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

  /** A fault of ours in a file costs that file. */
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

/** Most texts have none, and binding their names would only make garbage. */
function* faultIn(file: string, text: string, parser: SyntaxParser): Steps<SyntaxFault | null> {
  return hasFault(text, parser) ? (yield* new FileBinder(file, parser).steps(text)).fault : null;
}
