/**
 * A file's text, edit by edit → its facts. Segments that an edit leaves alone keep their fragments; what is read
 * depends on the text alone, never on how it came about, since a full read is an edit of nothing into everything.
 */
import { isDeepStrictEqual } from 'node:util';
import { lineEndsIn } from '../syntax/lineEnds.ts';
import { readSegment, restOf } from '../syntax/readSegment.ts';
import type { Segment } from '../syntax/Segment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { assembleFacts, hasSameContext, type ModuleContext, moduleContext } from './assembleFacts.ts';
import type { FileFacts } from './FileFacts.ts';
import type { Fragment } from './Fragment.ts';
import { FragmentsReading, type Piece, type Plan } from './FragmentsReading.ts';
import type { TextEdit } from './TextEdit.ts';
import type { WarmSegment } from './WarmSegment.ts';

/** A text with so many faults is no program any more: what is left is one segment, lest each be looked at to its end. */
const MOST_FAULTS = 100;

export class FactsReader {
  readonly #file: string;
  readonly #parser: SyntaxParser;
  #text = '';
  #pieces: Piece[] = [];
  /** The last piece, where it is what was left after too many faults. */
  #rest: Piece | null = null;
  #matter: ReadonlySet<string> = new Set();
  #context: ModuleContext | null = null;
  #warm: WarmSegment | null = null;

  constructor(file: string, parser: SyntaxParser) {
    this.#file = file;
    this.#parser = parser;
  }

  /**
   * Reads a text.
   *
   * @param text - Without a lone carriage return.
   * @param edit - What has changed since the last call; everything, if left away.
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  read(text: string, edit?: TextEdit): FileFacts {
    const warm = edit && this.#warm?.edit(edit, this.#text, text) ? this.#warm : null;
    const plans = this.#plan(text, edit ?? { start: 0, oldEnd: this.#text.length, newEnd: text.length });
    const reading = new FragmentsReading(plans, { file: this.#file, text, parser: this.#parser, warm });
    try {
      const known = reading.statements(this.#pieces);
      const context = this.#contextOf(known);
      const fragments = reading.bodies(context.matter, this.#matter);
      this.#pieces = plans.map(({ old, ...place }, index) => ({ ...place, fragment: fragments[index]! }));
      const faults = plans.filter(({ segment }) => segment.fault !== null).length;
      this.#rest = faults > MOST_FAULTS ? this.#pieces.at(-1)! : null;
      this.#matter = context.matter;
      this.#context = context;
      this.#text = text;
      this.#keepWarm(edit ? reading.released() : null);
      return assembleFacts(this.#file, fragments, context);
    } catch (error) {
      // The next edit is one of this text, of which nothing is known.
      this.#pieces = [];
      this.dispose();
      throw error;
    } finally {
      reading.delete();
    }
  }

  /** Frees the tree that is kept for the next edit. */
  dispose(): void {
    this.#keepWarm(null);
  }

  /** What the segments mean for each other, which most edits leave as it was. */
  #contextOf(fragments: readonly Fragment[]): ModuleContext {
    const before = this.#pieces;
    const isSame =
      before.length === fragments.length &&
      fragments.every((fragment, at) => hasSameContext(fragment, before[at]!.fragment));
    return isSame && this.#context ? this.#context : moduleContext(fragments);
  }

  #keepWarm(segment: WarmSegment | null): void {
    if (segment !== this.#warm) this.#warm?.tree.delete();
    this.#warm = segment;
  }

  /** Cuts the text into segments; the ones before and after the edit are found again at their places. */
  #plan(text: string, { start, oldEnd, newEnd }: TextEdit): Plan[] {
    const plans: Plan[] = [];
    const shift = newEnd - oldEnd;
    let next = 0;
    let faulty = 0;
    for (let at = 0; at < text.length; at += plans.at(-1)!.segment.length) {
      while (next < this.#pieces.length && isPassed(this.#pieces[next]!, at)) next += 1;
      const piece = this.#pieces[next];
      const there = piece && placeNow(piece) === at ? piece : null;
      const isRest = faulty === MOST_FAULTS;
      const isUntouched =
        !isRest &&
        there &&
        there !== this.#rest &&
        (there.start >= oldEnd || there.start + there.segment.seen <= start);
      const segment = isUntouched ? there.segment : isRest ? restOf(text, at) : readSegment(text, at);
      if (segment.fault) faulty += 1;
      const old = there && (isUntouched || this.#isSame(there, segment, text, at)) ? there : null;
      const lines = old ? old.lines : lineEndsIn(text.slice(at, at + segment.length));
      plans.push({ segment, start: at, lines, old });
    }
    return plans;

    function placeNow(piece: Piece): number {
      return piece.start >= oldEnd ? piece.start + shift : piece.start;
    }

    function isPassed(piece: Piece, at: number): boolean {
      return (piece.start > start && piece.start < oldEnd) || placeNow(piece) < at;
    }
  }

  /** Whether a segment that had to be cut again is what it was. */
  #isSame(old: Piece, segment: Segment, text: string, at: number): boolean {
    return (
      old.segment.length === segment.length &&
      isDeepStrictEqual(old.segment.fault, segment.fault) &&
      this.#text.slice(old.start, old.start + segment.length) === text.slice(at, at + segment.length)
    );
  }
}
