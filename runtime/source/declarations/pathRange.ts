/** A part of a route's path → its range in the source. */
import type { Range } from '../../contract/diagnostic.ts';
import type { RouteDeclaration } from './Declaration.ts';

/** The path's expression; the decorator's name if it has none. */
export function pathRange({ expression, decorator }: RouteDeclaration): Range {
  return expression?.range ?? decorator.pathRange;
}

/** The range of `length` characters at `offset` of the path; the whole expression when the literal has escapes. */
export function partRange(route: RouteDeclaration, offset: number, length: number): Range {
  const { expression } = route;
  if (expression?.kind !== 'string' || expression.contentOffset === null) return pathRange(route);
  const { line, character } = expression.range.start;
  const start = character + expression.contentOffset + offset;
  return { start: { line, character: start }, end: { line, character: start + length } };
}
