/** Makes a name that is missing, reserved or no part of an address one that fits. */
import { fittingName } from '../../contract/names.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import { variableOf } from '../declarations/variableOf.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { declarationCalledAt, declarationNamedAt } from './findPlace.ts';
import { nameFix, suggestedName } from './nameFix.ts';

export function* fitName(request: FixRequest): Fixes {
  const { index } = request;
  const declaration = declarationNamedAt(request) ?? declarationCalledAt(request);
  if (!declaration) return;
  const wanted =
    effectiveName(declaration) || suggestedName(declaration, variableOf(index.names, declaration));
  yield* nameFix(request, declaration, fittingName(wanted) ?? 'my-endpoint');
}
