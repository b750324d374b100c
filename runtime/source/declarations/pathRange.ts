/** A part of a route's path → its range in the source. */
import type { Range } from '../../contract/diagnostic.ts';
import type { RouteDeclaration } from './Declaration.ts';

/** The range of the path's expression, or of the decorator's name if there is no path. */
export function pathRange({ expression, decorator }: RouteDeclaration): Range {
  return expression?.range ?? decorator.pathRange;
}

/**
 * The range of `length` characters at `offset` in the path; the whole expression if the literal has escapes.
 */
export function partRange(route: RouteDeclaration, offset: number, length: number): Range {
  const { expression } = route;
  if (expression?.kind !== 'string' || expression.contentOffset === null) return pathRange(route);
  const { line, character } = expression.range.start;
  const start = character + expression.contentOffset + offset;
  return { start: { line, character: start }, end: { line, character: start + length } };
}
