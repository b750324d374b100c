/**
 * A file's text, edit by edit → its facts. A segment is parsed and bound again only if its text has changed,
 * or if it uses a name whose meaning has changed elsewhere. Facts depend only on the text, never on the edits
 * that led to it: a full read is an edit of the empty text.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../steps.ts';
import { lineEndsIn } from '../syntax/lineEnds.ts';
import { cutSegment, isLarge, MOST_FAULTS } from '../syntax/readSegment.ts';
import type { PlacedSegment, Segment } from '../syntax/Segment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { Batches, type Located } from './Batches.ts';
import type { BoundSegment } from './BoundSegment.ts';
import type { FileFacts } from './FileFacts.ts';
import { hasSameContext, joinFacts, type ModuleContext, moduleContext } from './joinFacts.ts';
import type { TextEdit } from './TextEdit.ts';
import { changedNames } from './wantedNames.ts';

export class FileBinder {
  readonly #file: string;
  readonly #parser: SyntaxParser;
  #text = '';
  #located: Located[] = [];
  /** The last segment, if it is the rest of a text with too many faults. */
  #rest: Located | null = null;
  #context: ModuleContext | null = null;
  #facts: FileFacts | null;

  /** @param known - Facts of an earlier text. If the new facts are equal, this object is returned. */
  constructor(file: string, parser: SyntaxParser, known: FileFacts | null = null) {
    this.#file = file;
    this.#parser = parser;
    this.#facts = known;
  }

  /**
   * Reads a text, at most one batch of segments in each step. If the facts have not changed, the same object
   * is returned.
   *
   * @param text - Must not contain a lone carriage return.
   * @param edit - The change since the last call; the whole text if omitted.
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  *steps(
    text: string,
    edit: TextEdit = { start: 0, oldEnd: this.#text.length, newEnd: text.length },
  ): Steps<FileFacts> {
    // The segments of a large text differ from those of a small one.
    const before = isLarge(text) === isLarge(this.#text) ? this.#located : [];
    // If this read fails, nothing is known about the text to which the next edit applies.
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
      // The last segment does not count: it may be the rest of the text, which can begin without a fault.
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

  /** The segments of the last read text; none during a read. */
  segments(): PlacedSegment[] {
    return this.#located.map(({ start, segment, lines, bound }) => ({
      text: this.#text.slice(start, start + segment.length),
      row: bound!.at.line,
      lines,
      isSound: segment.fault === null,
    }));
  }

  /** The context that the segments share; most edits do not change it. */
  *#contextOf(before: readonly Located[], located: readonly Located[]): Steps<ModuleContext> {
    const isSame = areSame(before, located, hasSameContext);
    return isSame ? this.#context! : yield* moduleContext(located.map(({ bound }) => bound!));
  }

  /** Cuts the text into segments. Segments before and after the edit are reused. */
  *#cut(before: readonly Located[], text: string, { start, oldEnd, newEnd }: TextEdit): Steps<Located[]> {
    const located: Located[] = [];
    const shift = newEnd - oldEnd;
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
      const segment = isUntouched ? there.segment : cutSegment(text, at, faulty);
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

  /** Whether a segment that was cut again has not changed. */
  #isSame(old: Located, segment: Segment, text: string, at: number): boolean {
    return (
      old.segment.length === segment.length &&
      isDeepStrictEqual(old.segment.fault, segment.fault) &&
      this.#text.slice(old.start, old.start + segment.length) === text.slice(at, at + segment.length)
    );
  }
}

/** Whether no segment has changed; false if nothing was read before. */
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
