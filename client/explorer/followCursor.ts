/** The explorer selects what the cursor is in, while it is seen. */
import * as vscode from 'vscode';
import type { LanguageServer } from '../LanguageServer.ts';
import type { ExplorerView } from './ExplorerView.ts';

/** How long the cursor has to rest, milliseconds. */
const REST = 200;

export function followCursor(explorer: ExplorerView, server: LanguageServer): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const listener = vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
    clearTimeout(timer);
    if (!explorer.visible || textEditor.document.uri.scheme !== 'file') return;
    timer = setTimeout(() => {
      // A tree that is drawn meanwhile, or a server that is started again, has no such entry.
      select(textEditor.document.uri, selections[0]!.active).catch(() => {});
    }, REST);
  });

  async function select(uri: vscode.Uri, position: vscode.Position): Promise<void> {
    const found = await server.nodesIn(uri);
    // An endpoint comes before its functions and routes, so the last one around the cursor is the innermost.
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
