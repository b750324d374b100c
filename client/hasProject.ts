/** Whether a window uses the toolkit. If not, nothing is started. */
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

const MENTION = /toolkit[-_.]sdk|\[tool\.toolkit/i;
const DECLARES = /\btoolkit_sdk\b/;

/** Whether a folder is a toolkit project, or an open Python document mentions `toolkit_sdk`. */
export async function hasProject(): Promise<boolean> {
  if (vscode.workspace.textDocuments.some(mentions)) return true;
  const found = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => isProject(uri));
  return (await Promise.all(found)).includes(true);
}

/** Whether an open document can declare endpoints. */
export function mentions(document: vscode.TextDocument): boolean {
  return document.languageId === 'python' && DECLARES.test(document.getText());
}

/** Like `mentions`, but for one line: searching the whole text at every keystroke is too slow. */
export function mentionsIn(document: vscode.TextDocument, line: number): boolean {
  return document.languageId === 'python' && DECLARES.test(document.lineAt(line).text);
}

/** Whether the window's folders contain any Python file, at any depth. */
export async function hasPython(): Promise<boolean> {
  return (await vscode.workspace.findFiles('**/*.py', '**/{.venv,venv,node_modules}/**', 1)).length > 0;
}

/** Whether a folder's own files make it a toolkit project. */
export async function isProject(folder: vscode.Uri): Promise<boolean> {
  if (folder.scheme !== 'file') return false;
  // Not through VS Code, whose file systems can be unavailable while a window opens.
  const texts = await Promise.allSettled(
    ['pyproject.toml', 'requirements.txt'].map((name) => readFile(path.join(folder.fsPath, name), 'utf8')),
  );
  if (texts.some((one) => one.status === 'fulfilled' && MENTION.test(one.value))) return true;
  return access(path.join(folder.fsPath, '.toolkit')).then(
    () => true,
    () => false,
  );
}
