/** Gives a route whose path is reserved, or declared twice, a path of its own. */
import type { Fixes, FixRequest } from './Fix.ts';
import { routeAt } from './findPlace.ts';
import { isTaken, pathFix } from './routePath.ts';

export function* otherPath({ index, source, found }: FixRequest): Fixes {
  const place = routeAt({ index, found });
  if (!place) return;
  const { route, declaration } = place;
  const name = found.code === 'reserved-path' ? 'health' : route.definition.name;
  const parameters = route.path.state === 'known' ? [...route.path.value.matchAll(/\{[^}]*\}/g)] : [];
  const path = [`/${name}`, ...parameters.map(([parameter]) => parameter)].join('/');
  if (!isTaken(index, declaration, route, path)) yield pathFix(source, route, path);
}
