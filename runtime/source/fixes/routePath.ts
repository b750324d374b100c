/** Another path for a route: whether it is free on its endpoint, and how it is written. */
import { RESERVED_ROUTE } from '../../contract/names.ts';
import { type Declaration, effectiveName, type RouteDeclaration } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { quoted, replaceRange } from './callArguments.ts';
import { type Fix, fixIn } from './Fix.ts';
import type { SourceText } from './SourceText.ts';

/** Writes a path in the place of a route's own, or adds it where there is none. */
export function pathFix(
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

/** Whether a path is reserved, or one of another route. Parameters of other names match the same requests. */
export function isTaken(
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
