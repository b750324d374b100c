/** Makes a route's path one that requests can match: a leading slash, a parameter's name, another path for a taken one. */
import { RESERVED_ROUTE } from '../../contract/names.ts';
import { type Declaration, effectiveName, type RouteDeclaration } from '../index/Declaration.ts';
import type { ProjectIndex } from '../index/ProjectIndex.ts';
import { quoted, replaceRange } from './callArguments.ts';
import { type Fix, type Fixer, fixIn } from './Fix.ts';
import { routeAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

/** What is wrong may be the first character, a parameter's form, or that there is no path. */
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

/** Another path for a route whose own is reserved or declared twice. */
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

function pathFix(
  source: SourceText,
  { file, expression, decorator }: RouteDeclaration,
  path: string,
  weight: Pick<Fix, 'safe' | 'preferred'>,
): Fix {
  const title = `Change the path to "${path}"`;
  if (expression) {
    const literal = quoted(path, source.slice(expression.range));
    return fixIn({ title, file, edits: replaceRange(source, expression.range, literal), ...weight });
  }
  const call = decorator.call;
  const end = source.offset(decorator.pathRange.end);
  if (!call) return fixIn({ title, file, edits: [source.insert(end, `(${quoted(path)})`)], ...weight });
  const open = source.text.indexOf('(', end) + 1;
  const text = call.arguments.length > 0 ? `${quoted(path)}, ` : quoted(path);
  return fixIn({ title, file, edits: [source.insert(open, text)], ...weight });
}

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

/** Parameters of other names match the same requests. */
function isTaken(
  { declarations }: ProjectIndex,
  declaration: Declaration,
  route: RouteDeclaration,
  path: string,
): boolean {
  if (path === RESERVED_ROUTE) return true;
  const shape = (text: string) => text.replaceAll(/\{\w+/g, '{');
  const name = effectiveName(declaration);
  return declarations
    .filter((other) => other === declaration || (name !== null && effectiveName(other) === name))
    .flatMap(({ routes }) => routes)
    .some(
      (other) =>
        other.decorator !== route.decorator &&
        other.method === route.method &&
        other.path.state === 'known' &&
        shape(other.path.value) === shape(path),
    );
}
