/**
 * Some segments of a file → their trees, in which every row and column refers to the file. Segments that are
 * not wanted are not parsed.
 */
import type { Steps } from '../steps.ts';
import type { PlacedSegment } from './Segment.ts';
import type { SyntaxNode, SyntaxParser, TextRange } from './SyntaxParser.ts';

/**
 * Segments without a fault are parsed together up to this length in UTF-16 units, which takes a few
 * milliseconds.
 */
const BATCH = 16_384;

/** Selects the segments of a file that are wanted. */
export type SegmentFilter = (segment: PlacedSegment) => boolean;

/**
 * Walks a tree. `text` is the parsed text, to which the nodes' indices refer. Nodes are valid only during the
 * walk.
 */
export type TreeWalk = (root: SyntaxNode, text: string) => void;

/**
 * Parses segments in order, at most one batch in each step. Broken segments are parsed separately, because a
 * parser would misread their neighbors.
 *
 * @throws ToolkitError INTERNAL when the engine has stopped working.
 */
export function* parseSegments(
  segments: Iterable<PlacedSegment>,
  isWanted: SegmentFilter,
  parser: SyntaxParser,
  walk: TreeWalk,
): Steps {
  let batch: PlacedSegment[] = [];
  let length = 0;
  for (const segment of segments) {
    yield;
    if (!isWanted(segment)) continue;
    if (!segment.isSound || length + segment.text.length > BATCH) {
      parseBatch(batch, parser, walk);
      batch = [];
      length = 0;
      yield;
    }
    if (segment.isSound) batch.push(segment);
    else parseBatch([segment], parser, walk);
    length = batch.length === 0 ? 0 : length + segment.text.length;
  }
  parseBatch(batch, parser, walk);
}

function parseBatch(batch: readonly PlacedSegment[], parser: SyntaxParser, walk: TreeWalk): void {
  if (batch.length === 0) return;
  const text = batch.map((segment) => segment.text).join('');
  // A parser written in C ends the text at a NUL.
  const tree = parser.parse(text.replaceAll('\0', ' '), rangesOf(batch));
  try {
    if (batch.length === 1 || !tree.rootNode.hasError) return walk(tree.rootNode, text);
  } finally {
    tree.delete();
  }
  for (const one of batch) parseBatch([one], parser, walk);
}

function rangesOf(batch: readonly PlacedSegment[]): TextRange[] {
  let endIndex = 0;
  return batch.map(({ text, row, lines }) => {
    const startIndex = endIndex;
    endIndex += text.length;
    return {
      startIndex,
      endIndex,
      startPosition: { row, column: 0 },
      endPosition: { row: row + lines, column: 0 },
    };
  });
}
