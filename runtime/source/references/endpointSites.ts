/** The index → the declarations that a function, class or instance belongs to, found by position. */
import type { Position } from '../../contract/diagnostic.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { perIndex } from '../declarations/perIndex.ts';
import { placeKey } from '../syntax/range.ts';
import type { BoundName } from './BoundName.ts';

/** The declarations whose function, class or instance a name refers to; empty for any other name. */
export function declarationsOfName(index: ProjectIndex, { file, scope, name }: BoundName): Declaration[] {
  const facts = index.names.factsOf(file);
  const bindings = facts?.scopes[scope]?.bindings;
  const bound = bindings && Object.hasOwn(bindings, name) ? bindings[name]! : [];
  const found = bound.flatMap((binding) => {
    if (binding.kind === 'definition') {
      return declarationsAt(index, file, facts!.definitions[binding.definition]!.nameRange.start);
    }
    if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
    return declarationsAt(index, file, binding.expression.call.range.start);
  });
  return [...new Set(found)];
}

/** The declarations whose function's name, or whose call of `Endpoint`, begins at a position. */
export function declarationsAt(index: ProjectIndex, file: string, start: Position): readonly Declaration[] {
  return sitesOf(index).get(keyOf(file, start)) ?? [];
}

const sitesOf = perIndex(({ declarations }) => {
  const sites = new Map<string, Declaration[]>();
  const add = (file: string, start: Position, declaration: Declaration) => {
    const key = keyOf(file, start);
    const known = sites.get(key);
    if (!known) sites.set(key, [declaration]);
    else if (!known.includes(declaration)) known.push(declaration);
  };
  for (const declaration of declarations) {
    const { file, call, served, routes } = declaration;
    add(file, call.range.start, declaration);
    for (const item of [...served, ...routes]) add(item.file, item.definition.nameRange.start, declaration);
  }
  return sites;
});

function keyOf(file: string, start: Position): string {
  return `${file}:${placeKey(start)}`;
}
