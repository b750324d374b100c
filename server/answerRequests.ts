/** The server's capabilities, and the feature that answers each request. */
import { type Connection, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { Answers } from './Answers.ts';
import { incomingCalls, outgoingCalls, prepareCallHierarchy } from './features/callHierarchy.ts';
import { CODE_ACTION_KINDS, codeActions, resolveCodeAction } from './features/codeAction.ts';
import { codeLenses, resolveCodeLens } from './features/codeLens.ts';
import { COMPLETION_TRIGGERS, completion } from './features/completion.ts';
import { resolveCompletion } from './features/completionDependencies.ts';
import { tableCompletion } from './features/completionTables.ts';
import { definition } from './features/definition.ts';
import { documentHighlight } from './features/documentHighlight.ts';
import { documentSymbol } from './features/documentSymbol.ts';
import { hover, tableHover } from './features/hover.ts';
import { inlayHints } from './features/inlayHint.ts';
import { references } from './features/references.ts';
import { prepareRename, rename } from './features/rename.ts';
import { SEMANTIC_TOKENS_LEGEND, semanticTokens } from './features/semanticTokens.ts';
import { SIGNATURE_TRIGGERS, signatureHelp } from './features/signatureHelp.ts';
import { workspaceSymbol } from './features/workspaceSymbol.ts';
import type { ServerState } from './ServerState.ts';

export const CAPABILITIES: ServerCapabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: {
    openClose: true,
    change: TextDocumentSyncKind.Incremental,
    save: { includeText: false },
  },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  completionProvider: { triggerCharacters: COMPLETION_TRIGGERS, resolveProvider: true },
  signatureHelpProvider: { triggerCharacters: SIGNATURE_TRIGGERS },
  hoverProvider: true,
  codeLensProvider: { resolveProvider: true },
  inlayHintProvider: true,
  codeActionProvider: { codeActionKinds: CODE_ACTION_KINDS, resolveProvider: true },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  callHierarchyProvider: true,
  semanticTokensProvider: { legend: SEMANTIC_TOKENS_LEGEND, full: true, range: true },
};

/** Answers the requests of the Language Server Protocol. */
export function answerRequests(connection: Connection, state: ServerState): void {
  const answers = new Answers(state);
  const { inlayHint, semanticTokens: tokens, callHierarchy } = connection.languages;
  connection.onCompletion(answers.byPython([], completion, tableCompletion));
  connection.onCompletionResolve(answers.resolving(resolveCompletion));
  connection.onSignatureHelp(answers.byPython(null, signatureHelp));
  connection.onHover(answers.byPython(null, hover, tableHover));
  connection.onCodeLens(answers.by([], codeLenses));
  connection.onCodeLensResolve(answers.resolving(resolveCodeLens));
  inlayHint.on(answers.by([], inlayHints));
  connection.onCodeAction(answers.by([], codeActions, true));
  connection.onCodeActionResolve(answers.resolving(resolveCodeAction, true));
  connection.onDefinition(answers.by(null, definition));
  connection.onReferences(answers.by(null, references, true));
  connection.onDocumentHighlight(answers.by(null, documentHighlight));
  connection.onPrepareRename(answers.by(null, prepareRename, true));
  connection.onRenameRequest(answers.by(null, rename, true));
  connection.onDocumentSymbol(answers.by([], documentSymbol));
  tokens.on(answers.byPython({ data: [] }, semanticTokens));
  tokens.onRange(answers.byPython({ data: [] }, semanticTokens));
  callHierarchy.onPrepare(answers.by(null, prepareCallHierarchy));
  callHierarchy.onIncomingCalls(({ item }, token) =>
    answers.about(item.uri, token, [], (context) => incomingCalls(context, item)),
  );
  callHierarchy.onOutgoingCalls(({ item }, token) =>
    answers.about(item.uri, token, [], (context) => outgoingCalls(context, item)),
  );
  connection.onWorkspaceSymbol(({ query }, token) =>
    answers.contained('workspace/symbol', token, [], async () => {
      const { sessions } = state.workspace;
      for (const { ready } of sessions) await ready;
      return sessions.flatMap((session) =>
        workspaceSymbol({ ...session.project.view(), uriOf: (file) => session.uriOf(file) }, query),
      );
    }),
  );
}
