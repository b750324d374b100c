/** Opened, changed, saved and closed documents → their projects. */
import type { Connection } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { PROJECT_FILES } from '../runtime/contract/names.ts';
import type { ServerState } from './ServerState.ts';
import type { PlaceInProject } from './workspace/Workspace.ts';

/** An open document and where it belongs; the text of a Python file is kept by its project. */
interface Opened {
  version: number;
  place: PlaceInProject;
  /** Of pyproject.toml. */
  document: TextDocument | null;
}

export function acceptDocuments(connection: Connection, state: ServerState): void {
  const opened = new Map<string, Opened>();

  connection.onDidOpenTextDocument(({ textDocument: { uri, version, text, languageId } }) =>
    state.guard(uri, () => {
      if (!isRead(uri, languageId)) return;
      const place = state.workspace.openDocument(uri);
      if (!place) return;
      const isPython = !uri.endsWith('.toml');
      const document = isPython ? null : TextDocument.create(uri, languageId, version, text);
      opened.set(uri, { version, place, document });
      place.session.opened(place.file, { uri, version, text });
    }),
  );

  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) =>
    state.guard(uri, () => {
      const known = opened.get(uri);
      if (!known) return;
      known.version = version;
      if (known.document) TextDocument.update(known.document, contentChanges, version);
      const { session, file } = known.place;
      session.changed(file, version, contentChanges, known.document?.getText() ?? '');
    }),
  );

  // A client that watches no files sends at least this.
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    const place = state.workspace.placeOf(uri);
    if (place && !place.file.endsWith('.py')) place.session.changedOnDisk([place.file]);
  });

  connection.onDidCloseTextDocument(({ textDocument: { uri } }) =>
    state.guard(uri, () => {
      const known = opened.get(uri);
      if (!known) return;
      opened.delete(uri);
      known.place.session.closed(known.place.file);
      state.workspace.closeDocument(uri);
    }),
  );

  // Folders come and go, and with them the project that a document belongs to.
  state.moved.event(() => {
    for (const [uri, known] of opened) {
      const place = state.workspace.placeOf(uri);
      if (!place || place.session === known.place.session) continue;
      const text =
        known.document?.getText() ?? known.place.session.project.document(known.place.file)?.text ?? '';
      known.place.session.closed(known.place.file);
      known.place = place;
      place.session.opened(place.file, { uri, version: known.version, text });
    }
  });
}

/** Python files and the project's own configuration; cells of notebooks are neither. */
function isRead(uri: string, languageId: string): boolean {
  if (/^vscode-notebook-cell:/i.test(uri)) return false;
  return languageId === 'python' || /\.py$/i.test(uri) || uri.endsWith(`/${PROJECT_FILES.pyproject}`);
}
