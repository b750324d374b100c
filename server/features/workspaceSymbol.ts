/** Symbols of the whole workspace: endpoints, functions and routes that match a fuzzy query. Reads no text. */
import type { Location, WorkspaceSymbol } from 'vscode-languageserver';
import { effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { declarationPlace } from './declarationPlace.ts';
import { type Node, nodesById, symbolOf } from './endpointNodes.ts';

interface SymbolSource extends Pick<ProjectView, 'index' | 'config'> {
  uriOf(file: string): string;
}

/** A project's symbols whose names contain the query's characters in order, ignoring case. */
export function workspaceSymbol(
  { index, config: { app }, uriOf }: SymbolSource,
  query: string,
): WorkspaceSymbol[] {
  return [...nodesById(index).values()].flatMap((node): WorkspaceSymbol[] => {
    const { declaration, served } = node;
    const endpoint = effectiveName(declaration);
    const symbol = symbolOf(node);
    // A function with its endpoint's name would be listed twice.
    const isListed = served
      ? node.route || declaration.kind !== 'queue' || symbol.name !== endpoint
      : endpoint !== null;
    if (!isListed || !matches(symbol.name.toLowerCase(), query.toLowerCase())) return [];
    const containerName = served ? (endpoint ?? app) : app;
    return [{ ...symbol, containerName, location: locationOf(node, uriOf) }];
  });
}

function locationOf({ declaration, file, served, route }: Node, uriOf: (file: string) => string): Location {
  if (!served) return declarationPlace(declaration, uriOf);
  return { uri: uriOf(file), range: route?.range ?? served.definition.nameRange };
}

function matches(name: string, query: string): boolean {
  let from = 0;
  for (const character of query) {
    const at = name.indexOf(character, from);
    if (at === -1) return false;
    from = at + character.length;
  }
  return true;
}
