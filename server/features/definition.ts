/** Go to definition: from a call to the function, an instance to its assignment, a name to its declarations. */
import type { DefinitionParams, Location, LocationLink } from 'vscode-languageserver';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import { declarationPlace, originPlaces } from './declarationPlace.ts';
import type { DocumentContext } from './feature.ts';
import { targetRange } from './targetRange.ts';

/**
 * Null if the position does not belong to an endpoint, so that the editor falls back to its Python support. An editor
 * that supports links gets the whole name as their origin; by itself it would end a word at a hyphen.
 */
export function definition(
  { project, document, client, uriOf }: DocumentContext,
  { position }: DefinitionParams,
): Location[] | LocationLink[] | null {
  const target = targetAt(project, document.file, position);
  if (!target) return null;
  const places =
    target.kind === 'name'
      ? target.declarations.map((declaration) => declarationPlace(declaration, uriOf))
      : originPlaces(project, target.origin, uriOf);
  if (!client.capabilities.textDocument?.definition?.linkSupport) return places;
  const originSelectionRange = targetRange(project, target);
  return places.map(({ uri, range }): LocationLink => {
    return { originSelectionRange, targetUri: uri, targetRange: range, targetSelectionRange: range };
  });
}
