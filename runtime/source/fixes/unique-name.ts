/** Gives one of several declarations with one name a name of its own. */
import { effectiveName } from '../declarations/Declaration.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { declarationNamedAt } from './findPlace.ts';
import { nameFix } from './nameFix.ts';

export function* uniqueName(request: FixRequest): Fixes {
  const declaration = declarationNamedAt(request);
  const name = declaration && effectiveName(declaration);
  // One instance on several functions has one name, whatever that is.
  if (declaration && name && declaration.served.length <= 1) yield* nameFix(request, declaration, name);
}
