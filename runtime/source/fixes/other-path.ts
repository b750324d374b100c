/** Gives a route whose path is reserved, or declared twice, a path of its own. */
import { type Fixer } from './Fix.ts';
import { routeAt } from './findPlace.ts';
import { isTaken, pathFix } from './routePath.ts';
import { SourceText } from './SourceText.ts';

export const otherPath: Fixer = (project, found) => {
  const place = routeAt(project.index, found);
  const source = SourceText.of(project, found.file);
  if (!place || !source) return [];
  const { route, declaration } = place;
  const name = found.code === 'reserved-path' ? 'health' : route.definition.name;
  const parameters = route.path.state === 'known' ? [...route.path.value.matchAll(/\{[^}]*\}/g)] : [];
  const path = [`/${name}`, ...parameters.map(([parameter]) => parameter)].join('/');
  if (isTaken(project.index, declaration, route, path)) return [];
  return [pathFix(source, route, path, { safe: false, preferred: false })];
};
