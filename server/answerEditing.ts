/** Requests that come with typing and reading → the features that answer them. */
import type { CodeLens, CompletionItem, Connection, ServerCapabilities } from 'vscode-languageserver';
import { Answers, uriIn } from './Answers.ts';
import { codeLenses, resolveCodeLens } from './features/codeLens.ts';
import { COMPLETION_TRIGGERS, completion } from './features/completion.ts';
import { resolveCompletion } from './features/completionDependencies.ts';
import { hover } from './features/hover.ts';
import { inlayHints } from './features/inlayHint.ts';
import { SIGNATURE_TRIGGERS, signatureHelp } from './features/signatureHelp.ts';
import type { ServerState } from './ServerState.ts';

export const EDITING_CAPABILITIES: ServerCapabilities = {
  completionProvider: { triggerCharacters: COMPLETION_TRIGGERS, resolveProvider: true },
  signatureHelpProvider: { triggerCharacters: SIGNATURE_TRIGGERS },
  hoverProvider: true,
  codeLensProvider: { resolveProvider: true },
  inlayHintProvider: true,
};

export function answerEditing(connection: Connection, state: ServerState): void {
  const answers = new Answers(state);
  connection.onCompletion(
    answers.by([], (context, { position, context: asked }) =>
      completion(context, position, asked?.triggerCharacter),
    ),
  );
  connection.onCompletionResolve((item: CompletionItem, token) =>
    answers.about(uriIn(item.data), token, item, (context) => resolveCompletion(context, item)),
  );
  connection.onSignatureHelp(answers.by(null, (context, { position }) => signatureHelp(context, position)));
  connection.onHover(answers.by(null, (context, { position }) => hover(context, position)));
  connection.onCodeLens(answers.by([], (context) => codeLenses(context)));
  connection.onCodeLensResolve((lens: CodeLens, token) =>
    answers.about(uriIn(lens.data), token, lens, (context) => resolveCodeLens(context, lens)),
  );
  connection.languages.inlayHint.on(answers.by([], (context, { range }) => inlayHints(context, range)));
}
