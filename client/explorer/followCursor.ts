/** Selects the endpoint at the cursor in the explorer, while the explorer is visible. */
import * as vscode from 'vscode';
import type { LanguageServer } from '../LanguageServer.ts';
import type { ExplorerView } from './ExplorerView.ts';

/** In milliseconds. How long the cursor must rest. */
const REST = 200;

export function followCursor(explorer: ExplorerView, server: LanguageServer): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const listener = vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
    clearTimeout(timer);
    if (!explorer.visible || textEditor.document.uri.scheme !== 'file') return;
    timer = setTimeout(() => {
      // The entry can be missing after a redraw of the tree or a restart of the server.
      select(textEditor.document.uri, selections[0]!.active).catch(() => {});
    }, REST);
  });

  async function select(uri: vscode.Uri, position: vscode.Position): Promise<void> {
    const found = await server.nodesIn(uri);
    // An endpoint comes before its functions and routes, so the last node that contains the cursor is the innermost.
    const node = found?.nodes.findLast(({ range: { start, end } }) =>
      new vscode.Range(start.line, start.character, end.line, end.character).contains(position),
    );
    if (found && node) await explorer.select(found.root, node.id);
  }

  return new vscode.Disposable(() => {
    clearTimeout(timer);
    listener.dispose();
  });
}
