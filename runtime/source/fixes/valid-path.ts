/** Makes a route's path one that requests can match: with a slash first, without what no path has. */
import { type Fixer } from './Fix.ts';
import { routeAt } from './findPlace.ts';
import { isTaken, pathFix } from './routePath.ts';
import { SourceText } from './SourceText.ts';

export const validPath: Fixer = (project, found) => {
  const place = routeAt(project.index, found);
  const source = SourceText.of(project, found.file);
  if (!place || !source) return [];
  const { route, declaration } = place;
  const written = route.path.state === 'known' ? route.path.value : '';
  if (route.path.state === 'invalid' && route.expression) return [];
  const path = written === '' ? `/${route.definition.name}` : mended(written);
  if (path === null || isTaken(project.index, declaration, route, path)) return [];
  return [pathFix(source, route, path, { safe: path === `/${written}`, preferred: true })];
};

/** As the finding's own remedy says it; null when more than one thing may be meant. */
function mended(path: string): string | null {
  const rooted = path.startsWith('/') ? path : `/${path}`;
  const plain = rooted
    .replace(/[?#][^]*$/, '')
    .trim()
    .replaceAll(/\s+/g, '-')
    .replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{${name.replaceAll(/[^\w:]+/g, '_')}}`);
  const names = [...plain.matchAll(/\{(\w+)/g)].map((match) => match[1]!);
  const isMended = !/[{}]/.test(plain.replaceAll(/\{[A-Za-z_]\w*(?::[a-z]+)?\}/g, ''));
  return isMended && plain !== path && new Set(names).size === names.length ? plain : null;
}
