/** A decorator such as `@api.get("/items")` and the function that it decorates → a route. */
import type { ROUTE_VERBS, RouteMethod } from '../../contract/endpoint.ts';
import type { Decorator } from '../binder/FileFacts.ts';
import { invalid } from './argumentValues.ts';
import { bindArguments, type Signature } from './bindArguments.ts';
import { type Constant, unfilled } from './Constant.ts';
import type { RouteDeclaration, ServedDefinition } from './Declaration.ts';
import type { NameResolver } from './NameResolver.ts';

const SIGNATURE: Signature<'path'> = {
  keywords: ['path'],
  surplus: {
    problem: 'A route takes only its path',
    fix: 'Remove this argument.',
  },
};

/** Reads a decorator whose name ends with a route verb. */
export function readRoute(
  names: NameResolver,
  { file, definition }: ServedDefinition,
  decorator: Decorator,
  verb: (typeof ROUTE_VERBS)[number],
): RouteDeclaration {
  const { scope, name } = definition;
  const written = decorator.call?.arguments ?? [];
  const { given, unknown, misplaced, open } = bindArguments(names, written, { file, scope }, SIGNATURE);
  return {
    file,
    definition,
    decorator,
    method: verb.toUpperCase() as RouteMethod,
    expression: given.path?.expression ?? null,
    path: readPath(given.path?.constant, open.length > 0, name),
    unknown,
    misplaced,
  };
}

/** @param isOpen - Whether there may be an argument that is not known. */
function readPath(given: Constant | undefined, isOpen: boolean, name: string): RouteDeclaration['path'] {
  const constant = given && unfilled(given);
  if (constant?.type === 'string') return { state: 'known', value: constant.value };
  if (constant?.type === 'dynamic' || (!constant && isOpen)) return { state: 'dynamic' };
  return invalid('A route needs a path', `For example: "/${name}".`);
}
