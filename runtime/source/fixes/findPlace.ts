/** A finding's place → the declaration, argument or route that it is about. */
import type { Diagnostic, Range } from '../../contract/diagnostic.ts';
import {
  type Declaration,
  type GivenArgument,
  nameRange,
  type RouteDeclaration,
} from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { isDirect } from './callArguments.ts';

/** An argument and the declaration that it is given to. */
export interface ArgumentPlace {
  declaration: Declaration;
  argument: GivenArgument;
}

/** The argument whose value, or an item of it, a finding names; null for one inside of `**settings`. */
export function argumentAt(
  { declarations }: ProjectIndex,
  { file, range }: Pick<Diagnostic, 'file' | 'range'>,
): ArgumentPlace | null {
  for (const declaration of declarations) {
    if (declaration.file !== file) continue;
    const argument = [...Object.values(declaration.given), ...declaration.unknown].find(
      (one) => contains(one.expression.range, range) || isSame(one.keywordRange, range),
    );
    if (argument) return isDirect(declaration, argument) ? { declaration, argument } : null;
  }
  return null;
}

/** Declarations whose name a finding is about. */
export function declarationNamedAt({ declarations }: ProjectIndex, found: Diagnostic): Declaration | null {
  const named = declarations.filter((declaration) => {
    const site = nameRange(declaration);
    return site.file === found.file && isSame(site.range, found.range);
  });
  return named.length === 1 ? named[0]! : null;
}

/** The declaration whose `Endpoint`, or heading, a finding names. */
export function declarationCalledAt({ declarations }: ProjectIndex, found: Diagnostic): Declaration | null {
  return (
    declarations.find(({ file, call }) => file === found.file && isSame(call.calleeRange, found.range)) ??
    null
  );
}

/** The route whose path or decorator holds a finding; null when it is one of several instances. */
export function routeAt({ declarations }: ProjectIndex, { file, range }: Diagnostic) {
  const routes = declarations.flatMap((declaration) =>
    declaration.routes.map((route): { declaration: Declaration; route: RouteDeclaration } => ({
      declaration,
      route,
    })),
  );
  const here = routes.filter(({ route }) => route.file === file && contains(route.decorator.range, range));
  return here.length === 1 ? here[0]! : null;
}

export function isSame(a: Range, b: Range): boolean {
  return contains(a, b) && contains(b, a);
}

/** Whether one range lies inside of another, or is the same. */
export function contains(outer: Range, inner: Range): boolean {
  return isAtOrBefore(outer.start, inner.start) && isAtOrBefore(inner.end, outer.end);
}

function isAtOrBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}
