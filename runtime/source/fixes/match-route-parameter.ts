/** Brings a path's `{param}` and its function's parameters together: by the parameter's name, or by a new parameter. */

import { values } from '../binder/readExpression.ts';
import type { RouteDeclaration } from '../declarations/Declaration.ts';
import { nearest } from '../declarations/nearest.ts';
import { partRange } from '../declarations/pathRange.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { replaceRange } from './callArguments.ts';
import { type Fix, type Fixer, fixIn } from './Fix.ts';
import { findDefinition } from './findDefinition.ts';
import { isSame, routeAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

const PARAMETER = /\{([A-Za-z_]\w*)((?::[a-z]+)?)\}/g;

export const matchRouteParameter: Fixer = (project, found) => {
  const route = routeAt(project.index, found)?.route;
  const source = SourceText.of(project, found.file);
  if (route?.path.state !== 'known' || !source) return [];
  const names = [...route.path.value.matchAll(PARAMETER)];
  const wrong = names.find((match) => isSame(partRange(route, match.index, match[0].length), found.range));
  // Without a place of its own there may be more than one.
  if (!wrong || route.expression?.kind !== 'string' || route.expression.contentOffset === null) return [];
  const name = wrong[1]!;
  const converter = wrong[2]!;
  const taken = new Set(names.map((match) => match[1]!));
  const free = route.definition.parameters.filter(
    (parameter) => !taken.has(parameter.name) && !parameter.kind.startsWith('var-'),
  );
  const required = free.filter((parameter) => parameter.required);
  const near =
    nearest(
      name,
      free.map((parameter) => parameter.name),
    ) ?? (required.length === 1 ? required[0]!.name : null);
  const renamed = near
    ? [
        fixIn({
          title: `Write {${near}} in the path`,
          file: found.file,
          edits: replaceRange(source, found.range, `{${near}${converter}}`),
          preferred: true,
        }),
      ]
    : [];
  const added = project.withTree(route.file, (root, text) =>
    addParameter(root, new SourceText(text), { route, name, converter, preferred: near === null }),
  );
  return [...renamed, ...(added ?? [])];
};

interface Wanted {
  route: RouteDeclaration;
  name: string;
  converter: string;
  preferred: boolean;
}

/** After the parameters that must be given, where a new one may stand. */
function addParameter(
  root: SyntaxNode,
  source: SourceText,
  { route, name, converter, preferred }: Wanted,
): Fix[] {
  const { definition, file } = route;
  const list = findDefinition(root, definition.nameRange.start)?.childForFieldName('parameters');
  if (!list || list.hasError || definition.parameters.some(({ kind }) => kind === 'positional-only'))
    return [];
  const isAnnotated = definition.parameters.some(({ annotation }) => annotation !== null);
  const type = converter === ':int' ? 'int' : converter === ':float' ? 'float' : isAnnotated ? 'str' : null;
  const written = type === null ? name : `${name}: ${type}`;
  const nodes = values(list);
  const before = nodes.findLastIndex((node) => node.type === 'identifier' || isPlainTyped(node));
  const firstOther = nodes.findIndex((node) => node.type !== 'identifier' && !isPlainTyped(node));
  const last = firstOther === -1 ? before : firstOther - 1;
  const [first] = nodes;
  const edit =
    last >= 0
      ? source.insert(nodes[last]!.endIndex, `, ${written}`)
      : source.insert(list.startIndex + 1, first ? `${written}, ` : written);
  return [
    fixIn({ title: `Add the parameter ${name} to ${definition.name}`, file, edits: [edit], preferred }),
  ];
}

/** `a: int`, but not `*a: int`. */
function isPlainTyped(node: SyntaxNode): boolean {
  return node.type === 'typed_parameter' && values(node)[0]?.type === 'identifier';
}
