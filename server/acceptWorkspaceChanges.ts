/** Added and removed folders, and files that change on disk → the projects that they belong to. */
import { type Connection, DidChangeWatchedFilesNotification, type WatchKind } from 'vscode-languageserver';
import { PROJECT_FILES } from '../runtime/contract/names.ts';
import type { ServerState } from './ServerState.ts';

/** Python files, files that configure a project, and folders: deleting one is reported without its files. */
const WATCHED: { globPattern: string; kind?: WatchKind }[] = [
  { globPattern: '**/*.py' },
  {
    globPattern: `**/{${PROJECT_FILES.pyproject},${PROJECT_FILES.lock},${PROJECT_FILES.ignore},${PROJECT_FILES.pythonVersion},.gitignore}`,
  },
  // Files of requirements, which can include others. A pattern of its own: some clients do not support patterns inside braces.
  { globPattern: '**/*.txt' },
  // Created (1) or deleted (4).
  { globPattern: '**/*', kind: 5 },
];

export function acceptWorkspaceChanges(connection: Connection, state: ServerState): void {
  state.initialized.event(() => {
    state.workspace.changeFolders({ added: foldersOf(state.params), removed: [] });
    if (state.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration) {
      state.ask(connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: WATCHED }));
    }
    if (state.capabilities.workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        state.workspace.changeFolders({
          added: added.map(({ uri }) => uri),
          removed: removed.map(({ uri }) => uri),
        });
      });
    }
  });

  connection.onDidChangeWatchedFiles(({ changes }) => {
    state.workspace.changedOnDisk(changes.map(({ uri }) => uri));
  });
}

/** The folders of the workspace. Older clients send only a root. */
function foldersOf({ workspaceFolders, rootUri }: ServerState['params']): string[] {
  if (workspaceFolders) return workspaceFolders.map(({ uri }) => uri);
  return rootUri ? [rootUri] : [];
}
