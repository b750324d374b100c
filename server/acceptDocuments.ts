/** Opened, changed, saved and closed documents → their projects. */
import type { Connection } from 'vscode-languageserver';
import { PROJECT_FILES } from '../runtime/contract/names.ts';
import type { ServerState } from './ServerState.ts';

export function acceptDocuments(connection: Connection, state: ServerState): void {
  connection.onDidOpenTextDocument(({ textDocument }) =>
    state.guard(textDocument.uri, () => {
      if (isRead(textDocument.uri, textDocument.languageId)) state.workspace.open(textDocument);
    }),
  );
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) =>
    state.guard(uri, () => state.workspace.change(uri, version, contentChanges)),
  );
  // A client that does not watch files still reports saved documents.
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    const place = state.workspace.placeOf(uri);
    if (place && !place.file.endsWith('.py')) place.session.changedOnDisk([place.file]);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) =>
    state.guard(uri, () => state.workspace.close(uri)),
  );
}

/** Whether a document is read: Python files and pyproject.toml are, cells of notebooks are not. */
function isRead(uri: string, languageId: string): boolean {
  if (/^vscode-notebook-cell:/i.test(uri)) return false;
  return languageId === 'python' || /\.py$/i.test(uri) || uri.endsWith(`/${PROJECT_FILES.pyproject}`);
}
