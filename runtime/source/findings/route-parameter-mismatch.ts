/** A `{param}` of a path that is no parameter of the route's function. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { RouteDeclaration } from '../declarations/Declaration.ts';
import { partRange } from '../declarations/pathRange.ts';
import { finding, type Rule } from './Finding.ts';

export const routeParameterMismatch: Rule = (index) =>
  index.declarations.flatMap(({ routes }) => routes.flatMap(mismatches));

function mismatches(route: RouteDeclaration): Diagnostic[] {
  const { definition, path } = route;
  if (path.state !== 'known' || definition.kind !== 'function') return [];
  if (definition.parameters.some(({ kind }) => kind === 'var-keyword')) return [];
  const names = definition.parameters.filter(({ kind }) => kind !== 'var-positional').map(({ name }) => name);
  return [...path.value.matchAll(/\{([A-Za-z_]\w*)(?::[a-z]+)?\}/g)].flatMap((match) => {
    const name = match[1]!;
    if (names.includes(name)) return [];
    return [
      finding('route-parameter-mismatch', {
        file: route.file,
        range: partRange(route, match.index, match[0].length),
        message: `The path has {${name}}, but ${definition.name} has no parameter ${name}.`,
        related: [
          { file: route.file, range: definition.nameRange, message: `${definition.name} is defined here.` },
        ],
        fix: `Add the parameter ${name} to ${definition.name}, or take {${name}} out of the path.`,
      }),
    ];
  });
}
