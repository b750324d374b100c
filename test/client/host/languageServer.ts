/** What the language server does inside VS Code. */
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually, it } from './suite.ts';

const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'late.py');

const BAD = `from toolkit_sdk import Endpoint

@Endpoint(name="late", cpu="cpu3c12")
def late(x: int):
    """Late."""
    return x
`;

it('shows mistakes at their location', async () => {
  // Written only now, so that no task has found its mistake.
  writeFileSync(uri.fsPath, BAD);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  const shown = () =>
    vscode.languages
      .getDiagnostics(uri)
      .map(({ code, range }) => [typeof code === 'object' ? code.value : code, range.start.line]);
  await eventually(shown, [['invalid-cpu', 2]]);
});

it('shows lenses whose commands this extension has', async () => {
  const lenses = () =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 20);
  await eventually(
    async () =>
      (await lenses())
        .map(({ command }) => command?.command)
        .filter(Boolean)
        .slice(0, 4),
    ['toolkit.run', 'toolkit.deploy', 'toolkit.logs', 'toolkit.copyAsCurl'],
  );
});
