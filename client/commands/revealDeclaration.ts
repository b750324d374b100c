/** Opens the editor at the current location of an entry's declaration. */
import * as vscode from 'vscode';
import type { Entry } from '../explorer/nodes.ts';
import type { LanguageServer } from '../LanguageServer.ts';

export async function revealDeclaration(server: LanguageServer, entry: Entry): Promise<void> {
  if (entry.type !== 'endpoint' && entry.type !== 'route') return;
  const node = entry.type === 'endpoint' ? entry.endpoint : entry.route;
  // The server does not send a node again if only its range has changed, so ask for the current one.
  const { uri, selectionRange } = (await server.locate({ root: entry.root, id: node.id })) ?? node;
  const { start, end } = selectionRange;
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
    selection: new vscode.Range(start.line, start.character, end.line, end.character),
    preview: true,
  });
}
