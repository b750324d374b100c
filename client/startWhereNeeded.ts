/** Starts the language server only in windows that use the toolkit. */
import * as vscode from 'vscode';
import { hasProject, mentions, mentionsIn } from './hasProject.ts';

export function startWhereNeeded(start: () => Promise<void>): vscode.Disposable {
  const look = async (): Promise<void> => {
    if (await hasProject()) await start();
  };
  void look();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(look),
    vscode.workspace.onDidSaveTextDocument(({ fileName }) => {
      if (/pyproject\.toml$|requirements\.txt$/.test(fileName)) void look();
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (mentions(document)) void start();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.some(({ range }) => mentionsIn(document, range.start.line))) void start();
    }),
  );
}
