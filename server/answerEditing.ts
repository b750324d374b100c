/** Requests that come with typing and reading → the features that answer them. */
import type { Connection, ServerCapabilities } from 'vscode-languageserver';
import { Answers } from './Answers.ts';
import { CODE_ACTION_KINDS, codeActions, resolveCodeAction } from './features/codeAction.ts';
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
  codeActionProvider: { codeActionKinds: CODE_ACTION_KINDS, resolveProvider: true },
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
  connection.onCompletionResolve(answers.resolving(resolveCompletion));
  connection.onSignatureHelp(answers.by(null, (context, { position }) => signatureHelp(context, position)));
  connection.onHover(
    answers.byKind(null, {
      python: (context, { position }) => hover(context, position),
      tables: (context, { position }) => tableHover(context, position),
    }),
  );
  connection.onCodeLens(answers.byPlace([], codeLenses));
  connection.onCodeLensResolve(answers.resolving(resolveCodeLens));
  connection.languages.inlayHint.on(answers.byPlace([], (context, { range }) => inlayHints(context, range)));
  connection.onCodeAction(answers.whenCurrent([], codeActions));
  connection.onCodeActionResolve(answers.resolving(resolveCodeAction, true));
}
