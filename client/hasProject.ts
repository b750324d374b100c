/** Whether a window has anything of the toolkit, so that nothing is started where it has not. */
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

const MENTION = /toolkit[-_.]sdk|\[tool\.toolkit/i;
const DECLARES = /\btoolkit_sdk\b/;

/** Whether a folder is a project of the toolkit, or an open Python text says `toolkit_sdk`. */
export async function hasProject(): Promise<boolean> {
  if (vscode.workspace.textDocuments.some(mentions)) return true;
  const found = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => isProject(uri));
  return (await Promise.all(found)).includes(true);
}

/** Whether an open text may declare endpoints. */
export function mentions(document: vscode.TextDocument): boolean {
  return document.languageId === 'python' && DECLARES.test(document.getText());
}

/** The same of one line: a whole text would be searched with every keystroke. */
export function mentionsIn(document: vscode.TextDocument, line: number): boolean {
  return document.languageId === 'python' && DECLARES.test(document.lineAt(line).text);
}

/** Whether the window's folders have any Python file, at whatever depth. */
export async function hasPython(): Promise<boolean> {
  return (await vscode.workspace.findFiles('**/*.py', '**/{.venv,venv,node_modules}/**', 1)).length > 0;
}

/** Whether a folder is a project of the toolkit by its own files. */
export async function isProject(folder: vscode.Uri): Promise<boolean> {
  if (folder.scheme !== 'file') return false;
  // Not through VS Code, whose file systems may not be there yet while a window is opened.
  const texts = await Promise.allSettled(
    ['pyproject.toml', 'requirements.txt'].map((name) => readFile(path.join(folder.fsPath, name), 'utf8')),
  );
  if (texts.some((one) => one.status === 'fulfilled' && MENTION.test(one.value))) return true;
  return access(path.join(folder.fsPath, '.toolkit')).then(
    () => true,
    () => false,
  );
}
