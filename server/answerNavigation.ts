/** Requests about where endpoints are declared, used, called and named → the features that answer them. */
import type { Connection, ServerCapabilities } from 'vscode-languageserver';
import { Answers } from './Answers.ts';
import { incomingCalls, outgoingCalls, prepareCallHierarchy } from './features/callHierarchy.ts';
import { definition } from './features/definition.ts';
import { documentHighlight } from './features/documentHighlight.ts';
import { documentSymbol } from './features/documentSymbol.ts';
import { references } from './features/references.ts';
import { prepareRename, rename } from './features/rename.ts';
import { SEMANTIC_TOKENS_LEGEND, semanticTokens } from './features/semanticTokens.ts';
import { workspaceSymbol } from './features/workspaceSymbol.ts';
import type { ServerState } from './ServerState.ts';

export const NAVIGATION_CAPABILITIES: ServerCapabilities = {
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  callHierarchyProvider: true,
  semanticTokensProvider: { legend: SEMANTIC_TOKENS_LEGEND, full: true, range: true },
};

export function answerNavigation(connection: Connection, state: ServerState): void {
  const answers = new Answers(state);
  connection.onDefinition(answers.byPlace(null, (context, { position }) => definition(context, position)));
  connection.onReferences(
    answers.whenCurrent(null, (context, { position, context: { includeDeclaration } }) =>
      references(context, position, includeDeclaration),
    ),
  );
  connection.onDocumentHighlight(
    answers.byPlace(null, (context, { position }) => documentHighlight(context, position)),
  );
  connection.onPrepareRename(
    answers.whenCurrent(null, (context, { position }) => prepareRename(context, position)),
  );
  connection.onRenameRequest(
    answers.whenCurrent(null, (context, { position, newName }) => rename(context, position, newName)),
  );
  connection.onDocumentSymbol(answers.byPlace([], documentSymbol));
  connection.languages.semanticTokens.on(answers.by({ data: [] }, (context) => semanticTokens(context)));
  connection.languages.semanticTokens.onRange(
    answers.by({ data: [] }, (context, { range }) => semanticTokens(context, range)),
  );
  connection.onWorkspaceSymbol(async ({ query }, token) =>
    answers.contained('workspace/symbol', token, [], async () => {
      const { sessions } = state.workspace;
      for (const { ready } of sessions) await ready;
      const sources = sessions.map((session) => {
        const { index, config } = session.project.view();
        return { index, app: config.app, uriOf: (file: string) => session.uriOf(file) };
      });
      return workspaceSymbol(sources, query);
    }),
  );
  connection.languages.callHierarchy.onPrepare(
    answers.byPlace(null, (context, { position }) => prepareCallHierarchy(context, position)),
  );
  connection.languages.callHierarchy.onIncomingCalls(({ item }, token) =>
    answers.aboutPlace(item.uri, token, [], (context) => incomingCalls(context, item)),
  );
  connection.languages.callHierarchy.onOutgoingCalls(({ item }, token) =>
    answers.aboutPlace(item.uri, token, [], (context) => outgoingCalls(context, item)),
  );
}
