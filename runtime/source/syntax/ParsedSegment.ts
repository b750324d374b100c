/** Segments of a text, parsed: neighbours together, which is quicker, or each alone where the text is broken. */
import { fillGaps } from './fillGaps.ts';
import { lineEndsIn } from './lineEnds.ts';
import type { Segment } from './Segment.ts';
import type { SyntaxNode, SyntaxParser, SyntaxTree } from './SyntaxParser.ts';

/** A segment and its statements. */
export interface ParsedSegment {
  segment: Segment;
  /** The segment's own text. */
  text: string;
  /** The text that was parsed: rows and indices of the nodes are its own. */
  source: string;
  /** The segment's first row in it. */
  row: number;
  nodes: readonly SyntaxNode[];
  /** Root of the segment's tree where that has an error; broken segments have trees of their own. */
  broken: SyntaxNode | null;
}

/** Neighbouring segments, parsed; nodes are good until it is deleted. */
export class ParsedRun {
  readonly segments: readonly ParsedSegment[];
  readonly #trees: SyntaxTree[] = [];

  /**
   * What is read of a broken segment must not depend on its neighbours, nor on what the text was before: where a
   * parser goes on after an error does. So broken runs are parsed segment by segment.
   *
   * @param source - The segments' text and no more.
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  constructor(source: string, segments: readonly Segment[], parser: SyntaxParser) {
    const isSound = segments.length > 1 && segments.every(({ fault }) => fault === null);
    const root = isSound ? this.#parse(source, parser) : null;
    const together = root && !root.hasError ? share(root, source, segments) : null;
    this.segments = together ?? this.#parseEach(source, segments, parser);
  }

  delete(): void {
    for (const tree of this.#trees.splice(0)) tree.delete();
  }

  /** A NUL ends the text for a parser written in C; the fault is found in the text itself. */
  #parse(text: string, parser: SyntaxParser): SyntaxNode {
    const tree = parser.parse(text.replaceAll('\0', ' '));
    this.#trees.push(tree);
    return tree.rootNode;
  }

  #parseAlone(text: string, parser: SyntaxParser): SyntaxNode {
    const root = this.#parse(text, parser);
    const filled = root.hasError ? fillGaps(text) : text;
    if (filled === text) return root;
    const other = this.#parse(filled, parser);
    return other.hasError ? root : other;
  }

  #parseEach(source: string, segments: readonly Segment[], parser: SyntaxParser): ParsedSegment[] {
    let at = 0;
    return segments.map((segment) => {
      const text = source.slice(at, at + segment.length);
      at += segment.length;
      const root = this.#parseAlone(text, parser);
      return {
        segment,
        text,
        source: text,
        row: 0,
        nodes: root.namedChildren,
        broken: root.hasError ? root : null,
      };
    });
  }
}

/** Gives each segment its statements; null where a statement is not inside of one segment. */
function share(root: SyntaxNode, source: string, segments: readonly Segment[]): ParsedSegment[] | null {
  const { namedChildren } = root;
  const shared: ParsedSegment[] = [];
  let next = 0;
  let start = 0;
  let row = 0;
  for (const segment of segments) {
    const end = start + segment.length;
    const first = next;
    while (next < namedChildren.length && namedChildren[next]!.startIndex < end) next += 1;
    if (next > first && namedChildren[next - 1]!.endIndex > end) return null;
    const text = source.slice(start, end);
    shared.push({ segment, text, source, row, nodes: namedChildren.slice(first, next), broken: null });
    start = end;
    row += lineEndsIn(text);
  }
  return shared;
}
