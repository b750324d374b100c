/** Go to definition: from a call of a peer to its function, from an instance to its assignment, from a name to its declarations. */
import type { Location, Position } from 'vscode-languageserver';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import { declarationPlace, originPlaces } from './declarationPlace.ts';
import type { PlaceContext } from './feature.ts';

/** Null where nothing of an endpoint stands, so that an editor asks its Python support. */
export function definition(
  { project, document, uriOf }: PlaceContext,
  position: Position,
): Location[] | null {
  const target = targetAt(project, document.file, position);
  if (!target) return null;
  return target.kind === 'name'
    ? target.declarations.map((declaration) => declarationPlace(declaration, uriOf))
    : originPlaces(project, target.origin, uriOf);
}
