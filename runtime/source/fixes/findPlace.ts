/** A finding's range → the declaration, argument or route that it is about. */
import type { Decorator } from '../binder/FileFacts.ts';
import {
  type Declaration,
  type GivenArgument,
  nameRange,
  type ServedDefinition,
} from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { contains, isSameRange } from '../syntax/range.ts';
import { isDirect } from './callArguments.ts';
import type { FixRequest } from './Fix.ts';

type Place = Pick<FixRequest, 'index' | 'found'>;

/** An argument and the declaration that it is given to. */
export interface ArgumentPlace {
  declaration: Declaration;
  argument: GivenArgument;
}

/**
 * The argument whose value, or an item of it, a finding is about; null for an argument inside `**settings`.
 */
export function argumentAt({ index, found: { file, range } }: Place): ArgumentPlace | null {
  for (const declaration of index.declarations) {
    if (declaration.file !== file) continue;
    const argument = [...Object.values(declaration.given), ...declaration.unknown].find(
      (one) => contains(one.expression.range, range) || isSameRange(one.keywordRange, range),
    );
    if (argument) return isDirect(declaration, argument) ? { declaration, argument } : null;
  }
  return null;
}

/** The declaration whose name a finding is about. */
export function declarationNamedAt({ index, found }: Place): Declaration | null {
  const named = index.declarations.filter((declaration) => {
    const site = nameRange(declaration);
    return site.file === found.file && isSameRange(site.range, found.range);
  });
  return named.length === 1 ? named[0]! : null;
}

/** The declaration whose `Endpoint` or table heading has the range of a finding. */
export function declarationCalledAt({ index, found }: Place): Declaration | undefined {
  return index.declarations.find(
    ({ file, call }) => file === found.file && isSameRange(call.calleeRange, found.range),
  );
}

/** The instance that serves the function of a finding and also other functions or routes. */
export function sharedInstanceAt({ index, found }: Place): Declaration | undefined {
  return index.declarations.find(
    ({ form, served, routes }) =>
      form === 'instance' &&
      served.length + Math.min(1, routes.length) > 1 &&
      served.some(
        ({ file, definition }) => file === found.file && isSameRange(definition.nameRange, found.range),
      ),
  );
}

/** Decorators without a call through which an instance serves a definition. */
export function servingDecorators(
  index: ProjectIndex,
  instance: Declaration,
  { file, definition }: ServedDefinition,
): Decorator[] {
  return definition.decorators.filter(
    ({ path, call }) => path && !call && index.instancesOf(file, definition.scope, path).includes(instance),
  );
}

/**
 * The route whose decorator contains a finding; null when several endpoints have the route, or when its
 * arguments are unpacked with `*` or `**`.
 */
export function routeAt({ index, found: { file, range } }: Place) {
  const [first, ...others] = index.declarations.flatMap((declaration) =>
    declaration.routes
      .filter((route) => route.file === file && contains(route.decorator.range, range))
      .map((route) => ({ declaration, route })),
  );
  if (first?.route.decorator.call?.arguments.some(({ spread }) => spread)) return null;
  return first && others.every(({ declaration }) => declaration.alternative) ? first : null;
}

/** The decorator that has the range of a finding, and its scope. */
export function decoratorAt({ index, found: { file, range } }: Place) {
  const definitions = index.names.factsOf(file)?.definitions ?? [];
  return definitions
    .flatMap(({ scope, decorators }) => decorators.map((decorator) => ({ scope, decorator })))
    .find(({ decorator }) => isSameRange(decorator.pathRange, range));
}
