/** Requests that come with typing and reading → the features that answer them. */
import type { CodeLens, CompletionItem, Connection, ServerCapabilities } from 'vscode-languageserver';
import { Answers, uriIn } from './Answers.ts';
import { CODE_ACTION_KINDS, codeActions } from './features/codeAction.ts';
import { codeLenses, resolveCodeLens } from './features/codeLens.ts';
import { COMPLETION_TRIGGERS, completion } from './features/completion.ts';
import { resolveCompletion } from './features/completionDependencies.ts';
import { tableCompletion } from './features/completionTables.ts';
import { hover, tableHover } from './features/hover.ts';
import { inlayHints } from './features/inlayHint.ts';
import { SIGNATURE_TRIGGERS, signatureHelp } from './features/signatureHelp.ts';
import type { ServerState } from './ServerState.ts';

export const EDITING_CAPABILITIES: ServerCapabilities = {
  completionProvider: { triggerCharacters: COMPLETION_TRIGGERS, resolveProvider: true },
  signatureHelpProvider: { triggerCharacters: SIGNATURE_TRIGGERS },
  hoverProvider: true,
  codeLensProvider: { resolveProvider: true },
  inlayHintProvider: true,
  codeActionProvider: { codeActionKinds: CODE_ACTION_KINDS },
};

export function answerEditing(connection: Connection, state: ServerState): void {
  const answers = new Answers(state);
  connection.onCompletion(
    answers.byKind([], {
      python: (context, { position, context: asked }) =>
        completion(context, position, asked?.triggerCharacter),
      tables: (context, { position }) => tableCompletion(context, position),
    }),
  );
  connection.onCompletionResolve((item: CompletionItem, token) =>
    answers.aboutPlace(uriIn(item.data), token, item, (context) => resolveCompletion(context, item)),
  );
  connection.onSignatureHelp(answers.by(null, (context, { position }) => signatureHelp(context, position)));
  connection.onHover(
    answers.byKind(null, {
      python: (context, { position }) => hover(context, position),
      tables: (context, { position }) => tableHover(context, position),
    }),
  );
  connection.onCodeLens(answers.byKind([], { python: codeLenses, tables: codeLenses }));
  connection.onCodeLensResolve((lens: CodeLens, token) =>
    answers.aboutPlace(uriIn(lens.data), token, lens, (context) => resolveCodeLens(context, lens)),
  );
  connection.languages.inlayHint.on(
    answers.byKind([], {
      python: (context, { range }) => inlayHints(context, range),
      tables: (context, { range }) => inlayHints(context, range),
    }),
  );
  connection.onCodeAction(answers.whenCurrent([], (context, params) => codeActions(context, params)));
}
