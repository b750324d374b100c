/**
 * Segments of a text → their statements. Neighboring segments are parsed together, which is faster. In
 * broken text, each segment is parsed separately.
 */
import { fillGaps } from './fillGaps.ts';
import { lineEndsIn } from './lineEnds.ts';
import { mayBeRefused } from './mayBeRefused.ts';
import type { Segment } from './Segment.ts';
import type { SyntaxNode, SyntaxParser, SyntaxTree } from './SyntaxParser.ts';

/** A segment and its statements. */
export interface ParsedSegment {
  segment: Segment;
  /** The segment's own text. */
  text: string;
  /** The text that was parsed; rows and indices of the nodes refer to it. */
  source: string;
  /** The segment's first row in `source`. */
  row: number;
  nodes: readonly SyntaxNode[];
  /**
   * Root of the segment's tree if that tree has an error; otherwise null. Each broken segment has its own
   * tree.
   */
  broken: SyntaxNode | null;
  /**
   * Whether the segment, or text that was parsed with it, may contain code that the grammar accepts but
   * Python refuses.
   */
  mayBeRefused: boolean;
}

/** Parsed neighboring segments. Their nodes are valid until `delete` is called. */
export class ParsedRun {
  readonly segments: readonly ParsedSegment[];
  readonly #trees: SyntaxTree[] = [];

  /**
   * The point at which a parser resumes after an error depends on neighboring statements and on earlier
   * versions of the text. The facts of a broken segment must not depend on either, so broken runs are parsed
   * segment by segment.
   *
   * @param source - The text of only these segments.
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

  /**
   * A parser written in C ends the text at a NUL, so NULs are replaced. `findFault` finds them in the text
   * itself.
   */
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
        mayBeRefused: mayBeRefused(text),
      };
    });
  }
}

/** Assigns each statement to its segment; null if a statement spans several segments. */
function share(root: SyntaxNode, source: string, segments: readonly Segment[]): ParsedSegment[] | null {
  const { namedChildren } = root;
  const shared: ParsedSegment[] = [];
  const isSuspect = mayBeRefused(source);
  let next = 0;
  let start = 0;
  let row = 0;
  for (const segment of segments) {
    const end = start + segment.length;
    const first = next;
    while (next < namedChildren.length && namedChildren[next]!.startIndex < end) next += 1;
    if (next > first && namedChildren[next - 1]!.endIndex > end) return null;
    const text = source.slice(start, end);
    const nodes = namedChildren.slice(first, next);
    shared.push({ segment, text, source, row, nodes, broken: null, mayBeRefused: isSuspect });
    start = end;
    row += lineEndsIn(text);
  }
  return shared;
}
