/**
 * The segments of a text, some of them read before → their fragments. A segment is read again only when its text has
 * changed, or when names have that other segments make known and that it uses.
 */
import { ParsedRun, type ParsedSegment } from '../syntax/ParsedSegment.ts';
import type { Segment } from '../syntax/Segment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { bodyReads, wordsOf } from './bodyReads.ts';
import { type Fragment, type FragmentPlace, moveFragment } from './Fragment.ts';
import { ChangedNames, KnownNames } from './KnownNames.ts';
import { readFragment } from './readFragment.ts';
import { WarmSegment, WORTH_KEEPING } from './WarmSegment.ts';

/** A segment at its place, with what it says. */
export interface Piece {
  segment: Segment;
  /** UTF-16 index. */
  start: number;
  /** How many lines end in it. */
  lines: number;
  fragment: Fragment;
}

/** A segment at its place, and the piece that it was before, if its text was the same. */
export interface Plan extends Omit<Piece, 'fragment'> {
  old: Piece | null;
}

interface Source {
  file: string;
  text: string;
  parser: SyntaxParser;
  /** The tree of the segment that has been edited, if one was kept. */
  warm: WarmSegment | null;
}

/** One reading; parsed runs are kept until it is deleted. */
export class FragmentsReading {
  readonly #plans: readonly Plan[];
  readonly #source: Source;
  readonly #fragments: Fragment[] = [];
  readonly #runs: ParsedRun[] = [];
  /** Segments that were parsed, by their number. */
  readonly #parsed = new Map<number, ParsedSegment>();

  constructor(plans: readonly Plan[], source: Source) {
    this.#plans = plans;
    this.#source = source;
  }

  /** Reads the segments that are new, and those that use names whose meaning may have changed. */
  statements(before: readonly Piece[]): readonly Fragment[] {
    const known = new KnownNames();
    const changed = new ChangedNames();
    const at: FragmentPlace = { line: 0, scopes: 1, definitions: 0 };
    let next = 0;
    let firstNew = 0;
    for (const [index, plan] of this.#plans.entries()) {
      const { old, lines } = plan;
      if (old && before[next] !== old) {
        const found = before.indexOf(old, next);
        changed.compare(wordsIn(before.slice(next, found)), wordsIn(this.#fragments.slice(firstNew)));
        next = found;
      }
      const isKept = old !== null && !changed.concern(this.#source.text, plan.start, plan.segment.length);
      const fragment = isKept ? moveFragment(old.fragment, { ...at }) : this.#read(index, at, known);
      if (isKept) known.pass(fragment.words);
      else if (old) changed.compare([old.fragment.words], [fragment.words]);
      this.#fragments.push(fragment);
      if (old) {
        next += 1;
        firstNew = index + 1;
      }
      at.line += lines;
      at.scopes += fragment.scopes.length;
      at.definitions += fragment.definitions.length;
    }
    return this.#fragments;
  }

  /**
   * Reads the bodies of decorated definitions.
   *
   * @param matter - Names whose reads matter.
   * @param before - The names that mattered when the kept fragments were read.
   */
  bodies(matter: ReadonlySet<string>, before: ReadonlySet<string>): readonly Fragment[] {
    const changed = matter.symmetricDifference(before);
    const words = changed.size > 0 ? wordsOf(changed) : null;
    for (const [index, fragment] of this.#fragments.entries()) {
      const { definitions, at } = fragment;
      if (definitions.every(({ decorators }) => decorators.length === 0)) continue;
      const parsed = this.#parsed.get(index);
      if (!parsed && !words?.test(this.#textOf(index))) continue;
      const segment = parsed ?? this.#parseAlone(index);
      const reads = bodyReads(segment, fragment, at.line - segment.row, matter);
      this.#fragments[index] = { ...fragment, body: { ...fragment.body, reads } };
    }
    return this.#fragments;
  }

  /** The segment to keep warm: the one that was read, if it is one and large; while it is broken, as it was before. */
  released(): WarmSegment | null {
    const [run, ...others] = this.#runs;
    const plan = this.#plans[[...this.#parsed.keys()][0]!];
    if (!run || !plan || others.length > 0 || plan.segment.length < WORTH_KEEPING) return null;
    const tree = run.release();
    if (tree) return new WarmSegment(tree, plan.start, plan.segment.length);
    return this.#isWarm(plan) ? this.#source.warm : null;
  }

  /** Frees the trees. */
  delete(): void {
    for (const run of this.#runs) run.delete();
  }

  #read(index: number, at: FragmentPlace, known: KnownNames): Fragment {
    if (this.#plans[index]!.old) this.#parseAlone(index);
    else if (!this.#parsed.has(index)) this.#parseFrom(index);
    const parsed = this.#parsed.get(index)!;
    const { file, parser } = this.#source;
    const fragment = readFragment(parsed, { file, parser, known, at: { ...at, line: parsed.row } });
    return moveFragment(fragment, { ...at });
  }

  /** Parses a run of segments that are all new. */
  #parseFrom(first: number): void {
    let end = first + 1;
    while (end < this.#plans.length && this.#plans[end]!.old === null) end += 1;
    this.#parse(first, end);
  }

  #parseAlone(index: number): ParsedSegment {
    this.#parse(index, index + 1);
    return this.#parsed.get(index)!;
  }

  #parse(first: number, end: number): void {
    const plans = this.#plans.slice(first, end);
    const { start } = plans[0]!;
    const last = plans.at(-1)!;
    const { text } = this.#source;
    const source = ownText(text, start, last.start + last.segment.length);
    const segments = plans.map(({ segment }) => segment);
    const { parser, warm } = this.#source;
    const isWarm = plans.length === 1 && last.segment.fault === null && this.#isWarm(last);
    const run = new ParsedRun(source, segments, parser, isWarm ? warm!.tree : null);
    this.#runs.push(run);
    for (const [offset, parsed] of run.segments.entries()) this.#parsed.set(first + offset, parsed);
  }

  #isWarm({ start, segment }: Plan): boolean {
    const { warm } = this.#source;
    return start === warm?.start && segment.length === warm.length;
  }

  #textOf(index: number): string {
    const { start, segment } = this.#plans[index]!;
    return this.#source.text.slice(start, start + segment.length);
  }
}

function wordsIn(pieces: readonly { fragment: Fragment }[] | readonly Fragment[]) {
  return pieces.map((piece) => ('fragment' in piece ? piece.fragment : piece).words);
}

/**
 * A part of a text that does not hold on to the whole: names in facts are slices of what they were read from, and
 * V8 keeps all of a string for as long as a slice of it is used.
 */
function ownText(text: string, start: number, end: number): string {
  return start === 0 && end === text.length ? text : ` ${text.slice(start, end)}`.slice(1);
}
