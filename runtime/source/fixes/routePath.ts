/** Changes the path of a route, and checks whether a path is free on its endpoint. */
import { RESERVED_ROUTE } from '../../contract/names.ts';
import { routeShape } from '../declarations/alternatives.ts';
import { type Declaration, effectiveName, type RouteDeclaration } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { quoted } from './callArguments.ts';
import type { Fix, Fixes, FixRequest, FixText } from './Fix.ts';
import { routeAt } from './findPlace.ts';
import type { SourceText } from './SourceText.ts';
import type { TextEdit } from './TextEdit.ts';

/** Gives a route whose path is reserved or declared twice a different path. */
export function* otherPath({ index, source, found }: FixRequest): Fixes {
  const place = routeAt({ index, found });
  if (!place) return;
  const { route, declaration } = place;
  const name = found.code === 'reserved-path' ? 'health' : route.definition.name;
  const parameters = route.path.state === 'known' ? [...route.path.value.matchAll(/\{[^}]*\}/g)] : [];
  const path = [`/${name}`, ...parameters.map(([parameter]) => parameter)].join('/');
  if (!isTaken(index, declaration, route, path)) yield pathFix(source, route, path);
}

/** Replaces the path of a route, or adds one when it has none. */
export function pathFix(
  source: SourceText,
  { file, expression, decorator: { call, pathRange } }: RouteDeclaration,
  path: string,
  weight: Partial<Pick<Fix, 'safe' | 'preferred'>> = {},
): FixText {
  const fix = (edit: TextEdit) => ({ title: `Change the path to "${path}"`, file, edits: [edit], ...weight });
  if (expression) {
    const { range } = expression;
    return fix({ range, newText: quoted(path, source.slice(range)) });
  }
  const end = source.offset(pathRange.end);
  if (!call) return fix(source.insert(end, `(${quoted(path)})`));
  const open = source.text.indexOf('(', end) + 1;
  return fix(source.insert(open, call.arguments.length > 0 ? `${quoted(path)}, ` : quoted(path)));
}

/** Whether a path is reserved or already used by another route. */
export function isTaken(
  { declarations }: ProjectIndex,
  declaration: Declaration,
  route: RouteDeclaration,
  path: string,
): boolean {
  if (path === RESERVED_ROUTE) return true;
  const wanted = routeShape({ ...route, path: { state: 'known', value: path } });
  const name = effectiveName(declaration);
  return declarations
    .filter((other) => other === declaration || (name !== null && effectiveName(other) === name))
    .flatMap(({ routes }) => routes)
    .some((other) => other.decorator !== route.decorator && routeShape(other) === wanted);
}
