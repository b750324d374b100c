/**
 * A declaration → the names through which it is used: its functions and classes, and the variable of an
 * instance.
 */
import type { Declaration } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { BoundName } from './BoundName.ts';

/** Names of functions come first; a route's function is one of them. */
export function namesOfDeclaration(
  { names }: ProjectIndex,
  { file, scope, call, form, served, routes }: Declaration,
): BoundName[] {
  const functions = [...served, ...routes].map(
    (item): BoundName => ({ file: item.file, scope: item.definition.scope, name: item.definition.name }),
  );
  const bindings = form === 'instance' ? (names.factsOf(file)?.scopes[scope]?.bindings ?? {}) : {};
  const { line, character } = call.range.start;
  const variables = Object.entries(bindings).filter(([, bound]) =>
    bound.some(
      (binding) =>
        binding.kind === 'value' &&
        binding.expression.kind === 'call' &&
        binding.expression.call.range.start.line === line &&
        binding.expression.call.range.start.character === character,
    ),
  );
  return [...functions, ...variables.map(([name]) => ({ file, scope, name }))];
}
