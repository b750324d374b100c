/**
 * Binds the segments of a text that are not bound yet, and reads their uses. Neighboring segments are parsed
 * together in batches, so that a large file takes no more memory than a small one.
 */

import type { Steps } from '../steps.ts';
import { ParsedRun, type ParsedSegment } from '../syntax/ParsedSegment.ts';
import { isLarge } from '../syntax/readSegment.ts';
import type { Segment } from '../syntax/Segment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { type BoundSegment, moved, moveSegment, type SegmentPlace } from './BoundSegment.ts';
import { bindSegment } from './bindSegment.ts';
import { readUses, wordsOf } from './readUses.ts';
import { WordPlaces } from './WordPlaces.ts';
import type { Wanted } from './wantedNames.ts';

/**
 * Neighboring segments without a fault are parsed together up to this length in UTF-16 units. A tree takes
 * about 60 times the memory of its text.
 */
const BATCH = 16_384;

/** A segment and where it is in the text. */
export interface Located {
  segment: Segment;
  /** UTF-16 index. */
  start: number;
  /** Number of line ends in the segment. */
  lines: number;
  /** Null until the segment is bound. */
  bound: BoundSegment | null;
}

interface Source {
  file: string;
  text: string;
  parser: SyntaxParser;
}

/**
 * One read of a text. Trees are kept until `delete` is called; trees of a large text only until the next
 * batch.
 */
export class Batches {
  readonly #located: readonly Located[];
  readonly #source: Source;
  readonly #runs: ParsedRun[] = [];
  readonly #parsed = new Map<Located, ParsedSegment>();
  /** Segments that were bound in this read. */
  readonly #fresh = new Set<Located>();

  constructor(located: readonly Located[], source: Source) {
    this.#located = located;
    this.#source = source;
  }

  /** Every segment, in order. */
  get bound(): BoundSegment[] {
    return this.#located.map(({ bound }) => bound!);
  }

  /** Binds new segments, and moves all others to their current positions. */
  *bind(): Steps {
    const at: SegmentPlace = { line: 0, scopes: 1, definitions: 0 };
    for (const [index, located] of this.#located.entries()) {
      if (located.bound) {
        const { bound } = located;
        located.bound = moveSegment(bound, at);
        if (located.bound !== bound) yield;
      } else {
        if (!this.#parsed.has(located)) {
          yield;
          this.#parseFrom(index);
        }
        yield;
        const parsed = this.#parsed.get(located)!;
        const { file, parser } = this.#source;
        const bound = bindSegment(parsed, { file, parser, at: { ...at, line: parsed.row } });
        located.bound = moveSegment(bound, at);
        this.#fresh.add(located);
      }
      at.line += located.lines;
      at.scopes += located.bound.scopes.length;
      at.definitions += located.bound.definitions.length;
    }
  }

  /**
   * Reads the uses of names in segments that are new, or that contain a name whose uses are now counted
   * differently.
   *
   * @param changed - Names that are wanted for different reasons than when the other segments were read.
   */
  *readUses(wanted: ReadonlyMap<string, Wanted>, changed: ReadonlySet<string>): Steps {
    const words = wordsOf(wanted);
    const places = new Map<string, WordPlaces>();
    for (const [index, located] of this.#located.entries()) {
      const isFresh = this.#fresh.has(located);
      if (!isFresh && changed.size === 0) continue;
      yield;
      const isAtHand = isFresh && this.#parsed.has(located);
      if (!isAtHand && !says(this.#textOf(located), isFresh ? words : changed)) continue;
      if (!this.#parsed.has(located)) this.#parse(index, index + 1);
      const parsed = this.#parsed.get(located)!;
      const found = places.get(parsed.source) ?? new WordPlaces(parsed.source, words);
      places.set(parsed.source, found);
      const { bound } = located;
      const { at } = bound!;
      const uses = readUses(parsed, found, bound!, wanted);
      located.bound = {
        ...bound!,
        uses: moved(uses, { line: at.line - parsed.row, scopes: 0, definitions: 0 }),
      };
    }
  }

  /** Frees the trees. */
  delete(): void {
    for (const run of this.#runs.splice(0)) run.delete();
    this.#parsed.clear();
  }

  /** Parses a batch of new segments. */
  #parseFrom(first: number): void {
    let end = first + 1;
    let length = this.#located[first]!.segment.length;
    for (; end < this.#located.length && this.#located[end]!.bound === null; end += 1) {
      length += this.#located[end]!.segment.length;
      if (length > BATCH) break;
    }
    // A segment that is needed later is parsed again.
    if (isLarge(this.#source.text)) this.delete();
    this.#parse(first, end);
  }

  #parse(first: number, end: number): void {
    const batch = this.#located.slice(first, end);
    const { start } = batch[0]!;
    const last = batch.at(-1)!;
    const { text, parser } = this.#source;
    const source = ownText(text, start, last.start + last.segment.length);
    const run = new ParsedRun(
      source,
      batch.map(({ segment }) => segment),
      parser,
    );
    this.#runs.push(run);
    for (const [at, parsed] of run.segments.entries()) this.#parsed.set(batch[at]!, parsed);
  }

  #textOf({ start, segment }: Located): string {
    return this.#source.text.slice(start, start + segment.length);
  }
}

function says(text: string, words: ReadonlySet<string>): boolean {
  return !new WordPlaces(text, words).isEmpty;
}

/**
 * Copies a part of a text. Names in facts are slices of the text that they were read from, and V8 keeps a
 * whole string in memory as long as a slice of it is used.
 */
function ownText(text: string, start: number, end: number): string {
  return start === 0 && end === text.length ? text : ` ${text.slice(start, end)}`.slice(1);
}
