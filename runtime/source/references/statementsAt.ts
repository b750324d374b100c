/**
 * Positions of names in a file → the statements that they belong to, with the range that an editor selects.
 */
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { placeKey, rangeOf } from '../syntax/range.ts';
import type { PlacedSegment } from '../syntax/Segment.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

/** A statement, and the name that it binds. */
export interface NamedStatement {
  /** With its decorators. */
  range: Range;
  selectionRange: Range;
}

/**
 * Finds, for each position, the definition whose name begins there or the assignment whose value begins
 * there. Enters only nodes that contain a position. Positions without such a statement are left out.
 *
 * @returns By `placeKey`.
 */
export function statementsAt(
  { withSegmentsNow }: Pick<ProjectView, 'withSegmentsNow'>,
  file: string,
  places: readonly Position[],
): Map<string, NamedStatement> {
  const found = new Map<string, NamedStatement>();
  const walk = (root: SyntaxNode) => descend(root, places, { decorated: null, found });
  withSegmentsNow(file, containsLine(places), walk);
  return found;
}

/** Returns a filter for the segments that contain the line of a position. */
export function containsLine(places: readonly Position[]): (segment: PlacedSegment) => boolean {
  return ({ row, lines }) => places.some(({ line }) => line >= row && line <= row + lines);
}

interface Descent {
  /** The decorated definition that the node is the definition of; null when there is none. */
  decorated: SyntaxNode | null;
  found: Map<string, NamedStatement>;
}

function descend(node: SyntaxNode, places: readonly Position[], { decorated, found }: Descent): void {
  if (places.length === 0) return;
  if (node.type === 'function_definition' || node.type === 'class_definition') {
    const name = node.childForFieldName('name');
    const place = name && places.find((one) => startsAt(name, one));
    if (place)
      found.set(placeKey(place), { range: rangeOf(decorated ?? node), selectionRange: rangeOf(name) });
  } else if (node.type === 'expression_statement') {
    for (const place of places) found.set(placeKey(place), assignment(node, place));
    return;
  }
  for (const child of node.namedChildren) {
    const inside = places.filter((place) => isInside(child, place));
    descend(child, inside, { decorated: node.type === 'decorated_definition' ? node : null, found });
  }
}

/** `api = Endpoint(…)` selects `api`; a call that is not assigned selects itself. */
function assignment(statement: SyntaxNode, place: Position): NamedStatement {
  const range = rangeOf(statement);
  const value = statement.namedChildren[0];
  const left = value?.type === 'assignment' ? value.childForFieldName('left') : null;
  const selected = left?.type === 'identifier' ? rangeOf(left) : { start: place, end: range.end };
  return { range, selectionRange: selected };
}

function startsAt({ startPosition: { row, column } }: SyntaxNode, { line, character }: Position): boolean {
  return row === line && column === character;
}

function isInside({ startPosition: start, endPosition: end }: SyntaxNode, { line, character }: Position) {
  if (line < start.row || (line === start.row && character < start.column)) return false;
  return line < end.row || (line === end.row && character < end.column);
}
