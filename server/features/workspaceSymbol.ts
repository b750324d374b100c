/** Symbols of the whole workspace: endpoints, their functions and their routes, by a fuzzy query. No text is read. */
import { type Range, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver';
import { effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { declarationPlace } from './declarationPlace.ts';
import { endpointNodes } from './endpointNodes.ts';

interface SymbolSource extends Pick<ProjectView, 'index' | 'config'> {
  uriOf(file: string): string;
}

/** A project's symbols whose names have the query's characters in this order, whatever their case. */
export function workspaceSymbol(project: SymbolSource, query: string): WorkspaceSymbol[] {
  return symbolsOf(project).filter(({ name }) => matches(name.toLowerCase(), query.toLowerCase()));
}

function symbolsOf({ index, config: { app }, uriOf }: SymbolSource): WorkspaceSymbol[] {
  return endpointNodes(index).flatMap(({ declaration, functions, routes }) => {
    const name = effectiveName(declaration);
    const isQueue = declaration.kind === 'queue';
    const within = (symbol: string, kind: SymbolKind, file: string, range: Range): WorkspaceSymbol => {
      return { name: symbol, kind, containerName: name ?? app, location: { uri: uriOf(file), range } };
    };
    const own: WorkspaceSymbol[] = [];
    if (name !== null) {
      const kind = isQueue ? SymbolKind.Event : SymbolKind.Interface;
      own.push({ name, kind, containerName: app, location: declarationPlace(declaration, uriOf) });
    }
    return [
      ...own,
      // A function of its endpoint's name would be listed twice.
      ...functions
        .filter(({ served }) => !isQueue || served.definition.name !== name)
        .map(({ file, served: { definition } }) => {
          const kind = definition.kind === 'class' ? SymbolKind.Class : SymbolKind.Function;
          return within(definition.name, kind, file, definition.nameRange);
        }),
      ...routes.map(({ file, route: { method, path, range } }) =>
        within(`${method} ${path}`, SymbolKind.Method, file, range),
      ),
    ];
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
