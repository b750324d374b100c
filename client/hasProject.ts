/** Whether a window has anything of the toolkit, so that nothing is started where it has not. */
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

/** Whether a folder is a project of the toolkit by its own files. */
export async function isProject(folder: vscode.Uri): Promise<boolean> {
  const read = (name: string) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name));
  const texts = await Promise.allSettled(['pyproject.toml', 'requirements.txt'].map(read));
  if (texts.some((one) => one.status === 'fulfilled' && MENTION.test(Buffer.from(one.value).toString())))
    return true;
  return vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, '.toolkit')).then(
    () => true,
    () => false,
  );
}
