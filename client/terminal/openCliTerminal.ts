/** The command Open Terminal: opens an integrated terminal in the project, with `toolkit` on PATH. */
import * as vscode from 'vscode';
import type { CliShim } from './CliShim.ts';

/** Opens it in the folder of the active editor. Asks if the folder is ambiguous. */
export async function openCliTerminal(shim: CliShim): Promise<void> {
  const folder = await chooseFolder();
  await shim.ready;
  const terminal = vscode.window.createTerminal({ name: 'toolkit', ...(folder && { cwd: folder.uri }) });
  terminal.show();
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (others.length === 0) return first;
  const active = vscode.window.activeTextEditor?.document.uri;
  return (
    (active && vscode.workspace.getWorkspaceFolder(active)) ?? (await vscode.window.showWorkspaceFolderPick())
  );
}
