/**
 * A file's text, edit by edit → its facts. Only segments whose text has changed are parsed and bound again, and those
 * that use names which others bind to something else now. What is read depends on the text alone, never on how it came
 * about: a full reading is an edit of nothing into everything.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../steps.ts';
import { lineEndsIn } from '../syntax/lineEnds.ts';
import { isLarge, readSegment, readStretch, restOf } from '../syntax/readSegment.ts';
import type { Segment } from '../syntax/Segment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { Batches, type Located } from './Batches.ts';
import type { BoundSegment } from './BoundSegment.ts';
import type { FileFacts } from './FileFacts.ts';
import { hasSameContext, joinFacts, type ModuleContext, moduleContext } from './joinFacts.ts';
import type { TextEdit } from './TextEdit.ts';
import { changedNames } from './wantedNames.ts';

/** After so many faults the rest of a text is one segment: a broken segment may be scanned to the end of the text. */
const MOST_FAULTS = 100;

export class FileBinder {
  readonly #file: string;
  readonly #parser: SyntaxParser;
  #text = '';
  #located: Located[] = [];
  /** The last segment, where it is what was left after too many faults. */
  #rest: Located | null = null;
  #context: ModuleContext | null = null;
  #facts: FileFacts | null;

  /** @param known - Facts of an earlier text; a text that says the same gives this object. */
  constructor(file: string, parser: SyntaxParser, known: FileFacts | null = null) {
    this.#file = file;
    this.#parser = parser;
    this.#facts = known;
  }

  /**
   * Reads a text, a batch of segments or less in each step. Of a text that says the same as the last one the facts are
   * the same object.
   *
   * @param text - Without a lone carriage return.
   * @param edit - What has changed since the last call; everything, if left away.
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  *steps(
    text: string,
    edit: TextEdit = { start: 0, oldEnd: this.#text.length, newEnd: text.length },
  ): Steps<FileFacts> {
    // Segments of a large text are others than those of a small one.
    const before = isLarge(text) === isLarge(this.#text) ? this.#located : [];
    // The next edit is one of this text, of which nothing is known if this reading fails.
    this.#located = [];
    const located = yield* this.#cut(before, text, edit);
    const batches = new Batches(located, { file: this.#file, text, parser: this.#parser });
    try {
      yield* batches.bind();
      const context = yield* this.#contextOf(before, located);
      yield* batches.readUses(context.wanted, changedNames(this.#context?.wanted, context.wanted));
      yield;
      const isSame = areSame(before, located, isDeepStrictEqual);
      const facts = isSame ? this.#facts! : joinFacts(this.#file, batches.bound, context);
      // What is left may begin without a fault.
      const faulty = located.slice(0, -1).filter(({ segment }) => segment.fault !== null);
      this.#rest = faulty.length === MOST_FAULTS ? located.at(-1)! : null;
      this.#context = context;
      this.#text = text;
      this.#located = located;
      if (!isDeepStrictEqual(facts, this.#facts)) this.#facts = facts;
      return this.#facts!;
    } finally {
      batches.delete();
    }
  }

  /** The segments that hold lines of the text that was read last; none during a reading. */
  segmentsAt(lines: readonly number[]): { text: string; row: number }[] {
    const holding = this.#located.filter(({ bound, lines: count }) => {
      const { line } = bound!.at;
      return lines.some((one) => one >= line && one <= line + count);
    });
    return holding.map(({ start, segment, bound }) => ({
      text: this.#text.slice(start, start + segment.length),
      row: bound!.at.line,
    }));
  }

  /** What the segments mean for each other, which most edits leave as it was. */
  *#contextOf(before: readonly Located[], located: readonly Located[]): Steps<ModuleContext> {
    const isSame = areSame(before, located, hasSameContext);
    return isSame ? this.#context! : yield* moduleContext(located.map(({ bound }) => bound!));
  }

  /** Cuts the text into segments; the ones before and after the edit are found again at their places. */
  *#cut(before: readonly Located[], text: string, { start, oldEnd, newEnd }: TextEdit): Steps<Located[]> {
    const located: Located[] = [];
    const shift = newEnd - oldEnd;
    const read = isLarge(text) ? readStretch : readSegment;
    let next = 0;
    let faulty = 0;
    let at = 0;
    while (at < text.length) {
      while (next < before.length && isPassed(before[next]!, at)) next += 1;
      const known = before[next];
      const there = known && placeNow(known) === at ? known : null;
      const isRest = faulty === MOST_FAULTS;
      const isUntouched =
        !isRest &&
        there &&
        there !== this.#rest &&
        (there.start >= oldEnd || there.start + there.segment.seen <= start);
      if (!isUntouched) yield;
      const segment = isUntouched ? there.segment : isRest ? restOf(text, at) : read(text, at);
      if (segment.fault) faulty += 1;
      const old = there && (isUntouched || this.#isSame(there, segment, text, at)) ? there : null;
      const lines = old ? old.lines : lineEndsIn(text.slice(at, at + segment.length));
      located.push({ segment, start: at, lines, bound: old?.bound ?? null });
      at += segment.length;
    }
    return located;

    function placeNow(known: Located): number {
      return known.start >= oldEnd ? known.start + shift : known.start;
    }

    function isPassed(known: Located, at: number): boolean {
      return (known.start > start && known.start < oldEnd) || placeNow(known) < at;
    }
  }

  /** Whether a segment that had to be cut again is what it was. */
  #isSame(old: Located, segment: Segment, text: string, at: number): boolean {
    return (
      old.segment.length === segment.length &&
      isDeepStrictEqual(old.segment.fault, segment.fault) &&
      this.#text.slice(old.start, old.start + segment.length) === text.slice(at, at + segment.length)
    );
  }
}

/** Whether segments are what they were before; nobody knows where nothing was read before. */
function areSame(
  before: readonly Located[],
  located: readonly Located[],
  isSame: (a: BoundSegment, b: BoundSegment) => boolean,
): boolean {
  return (
    before.length > 0 &&
    before.length === located.length &&
    located.every(({ bound }, at) => isSame(bound!, before[at]!.bound!))
  );
}
