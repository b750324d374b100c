/** Go to definition: from a call of a peer to its function, from an instance to its assignment, from a name to its declarations. */
import type { DefinitionParams, Location, LocationLink } from 'vscode-languageserver';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import { declarationPlace, originPlaces } from './declarationPlace.ts';
import type { DocumentContext } from './feature.ts';
import { targetRange } from './targetRange.ts';

/**
 * Null when the position does not belong to an endpoint, so that the editor uses its Python support. An editor that
 * supports links gets the whole name as their origin: a word of its own ends at a hyphen.
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
