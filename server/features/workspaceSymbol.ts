/** Symbols of the whole workspace: endpoints, their functions and their routes, by a fuzzy query. No text is read. */
import { type Location, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver';
import { effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { declarationPlace } from './declarationPlace.ts';
import { endpointNodes } from './endpointNodes.ts';

/** A project of the workspace. */
export interface SymbolSource {
  index: ProjectIndex;
  app: string;
  uriOf(file: string): string;
}

/** Those whose names have the query's characters in this order, whatever their case; all for an empty query. */
export function workspaceSymbol(projects: Iterable<SymbolSource>, query: string): WorkspaceSymbol[] {
  return [...projects].flatMap((project) =>
    symbolsOf(project).filter(({ name }) => matches(name.toLowerCase(), query.toLowerCase())),
  );
}

function symbolsOf({ index, app, uriOf }: SymbolSource): WorkspaceSymbol[] {
  return endpointNodes(index).flatMap(({ declaration, functions, routes }) => {
    const name = effectiveName(declaration);
    const within = name ?? app;
    const symbols: WorkspaceSymbol[] = [];
    if (name !== null) {
      const kind = declaration.kind === 'queue' ? SymbolKind.Event : SymbolKind.Interface;
      symbols.push({ name, kind, containerName: app, location: declarationPlace(declaration, uriOf) });
    }
    for (const { served } of functions) {
      const { definition, file } = served;
      // A function of its endpoint's name would be listed twice.
      if (definition.name === name && declaration.kind === 'queue') continue;
      const kind = definition.kind === 'class' ? SymbolKind.Class : SymbolKind.Function;
      const location: Location = { uri: uriOf(file), range: definition.nameRange };
      symbols.push({ name: definition.name, kind, containerName: within, location });
    }
    for (const { route, path, file } of routes) {
      const location: Location = { uri: uriOf(file), range: route.decorator.range };
      symbols.push({
        name: `${route.method} ${path}`,
        kind: SymbolKind.Method,
        containerName: within,
        location,
      });
    }
    return symbols;
  });
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
