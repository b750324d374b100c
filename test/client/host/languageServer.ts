/** What the language server does inside VS Code. */
import * as vscode from 'vscode';
import { eventually, it, run } from './suite.ts';

export { run };

const uriOf = (file: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, file);

it('shows mistakes at their location', async () => {
  const document = await vscode.workspace.openTextDocument(uriOf('bad.py'));
  await vscode.window.showTextDocument(document);
  const shown = () =>
    vscode.languages
      .getDiagnostics(document.uri)
      .map(({ code, range }) => [typeof code === 'object' ? code.value : code, range.start.line]);
  await eventually(shown, [['invalid-cpu', 2]]);
});

it('shows lenses whose commands this extension has', async () => {
  const lenses = () =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uriOf('bad.py'), 20);
  await eventually(
    async () =>
      (await lenses())
        .map(({ command }) => command?.command)
        .filter(Boolean)
        .slice(0, 4),
    ['toolkit.run', 'toolkit.deploy', 'toolkit.logs', 'toolkit.copyAsCurl'],
  );
});
