/**
 * A file's text, edit by edit → its facts. Only segments whose text has changed are parsed and bound again, and those
 * that use names which others bind to something else now. What is read depends on the text alone, never on how it came
 * about: a full reading is an edit of nothing into everything.
 */
import { isDeepStrictEqual } from 'node:util';
import { runSteps, type Steps } from '../steps.ts';
import { lineEndsIn } from '../syntax/lineEnds.ts';
import { readSegment, readStretch, restOf } from '../syntax/readSegment.ts';
import type { Segment } from '../syntax/Segment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { Batches, type Located } from './Batches.ts';
import type { FileFacts } from './FileFacts.ts';
import { hasSameContext, joinFacts, type ModuleContext, moduleContext } from './joinFacts.ts';
import type { TextEdit } from './TextEdit.ts';
import { changedNames } from './wantedNames.ts';

/** After so many faults the rest of a text is one segment: a broken segment may be scanned to the end of the text. */
const MOST_FAULTS = 100;

/** Longer texts are cut into stretches of statements, UTF-16 units. */
const LARGE = 262_144;

export class FileBinder {
  readonly #file: string;
  readonly #parser: SyntaxParser;
  #text = '';
  #located: Located[] = [];
  /** The last segment, where it is what was left after too many faults. */
  #rest: Located | null = null;
  #context: ModuleContext | null = null;

  constructor(file: string, parser: SyntaxParser) {
    this.#file = file;
    this.#parser = parser;
  }

  /** Reads a text at once; see `steps`. */
  read(text: string, edit?: TextEdit): FileFacts {
    return runSteps(this.steps(text, edit));
  }

  /**
   * Reads a text, a batch of segments in each step.
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
    const isOther = text.length > LARGE !== this.#text.length > LARGE;
    const before = isOther ? [] : this.#located;
    // The next edit is one of this text, of which nothing is known if this reading fails.
    this.#located = [];
    const located = this.#cut(before, text, edit);
    const batches = new Batches(located, { file: this.#file, text, parser: this.#parser });
    try {
      yield* batches.bind();
      const context = this.#contextOf(before, located);
      yield* batches.readUses(context.wanted, changedNames(this.#context?.wanted, context.wanted));
      // What is left may begin without a fault.
      const faulty = located.slice(0, -1).filter(({ segment }) => segment.fault !== null);
      this.#rest = faulty.length === MOST_FAULTS ? located.at(-1)! : null;
      this.#context = context;
      this.#text = text;
      this.#located = located;
      return joinFacts(this.#file, batches.bound, context);
    } finally {
      batches.delete();
    }
  }

  /** What the segments mean for each other, which most edits leave as it was. */
  #contextOf(before: readonly Located[], located: readonly Located[]): ModuleContext {
    const isSame =
      before.length === located.length &&
      located.every(({ bound }, at) => hasSameContext(bound!, before[at]!.bound!));
    return isSame && this.#context ? this.#context : moduleContext(located.map(({ bound }) => bound!));
  }

  /** Cuts the text into segments; the ones before and after the edit are found again at their places. */
  #cut(before: readonly Located[], text: string, { start, oldEnd, newEnd }: TextEdit): Located[] {
    const located: Located[] = [];
    const shift = newEnd - oldEnd;
    const read = text.length > LARGE ? readStretch : readSegment;
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
