/** Composes the server: messages of the client → projects and features → their results to the client. */
import type { Connection } from 'vscode-languageserver';
import { acceptDocuments } from './acceptDocuments.ts';
import { acceptEditorMessages } from './acceptEditorMessages.ts';
import { acceptSettings } from './acceptSettings.ts';
import { acceptWorkspaceChanges } from './acceptWorkspaceChanges.ts';
import { answerRequests, CAPABILITIES } from './answerRequests.ts';
import { publishStatus } from './publish/publishStatus.ts';
import { ServerState } from './ServerState.ts';

/** Serves one client until it sends `exit`. */
export function serve(connection: Connection): void {
  const state = new ServerState(connection);
  connection.onInitialize((params) => state.initialize(params, CAPABILITIES));
  connection.onInitialized(() => state.initialized.fire());
  acceptDocuments(connection, state);
  acceptWorkspaceChanges(connection, state);
  acceptEditorMessages(connection, state);
  acceptSettings(connection, state);
  publishStatus(connection, state);
  answerRequests(connection, state);
  connection.onShutdown(() => state.dispose());
  connection.listen();
}
