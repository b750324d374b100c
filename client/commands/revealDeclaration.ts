/** Opens the editor at the declaration of an entry, where it is now. */
import * as vscode from 'vscode';
import type { Entry } from '../explorer/nodes.ts';
import type { LanguageServer } from '../LanguageServer.ts';

export async function revealDeclaration(server: LanguageServer, entry: Entry): Promise<void> {
  if (entry.type !== 'endpoint' && entry.type !== 'route') return;
  const node = entry.type === 'endpoint' ? entry.endpoint : entry.route;
  // Ranges of the tree are not sent again when only they have changed.
  const { uri, selectionRange } = (await server.locate({ root: entry.root, id: node.id })) ?? node;
  const { start, end } = selectionRange;
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
    selection: new vscode.Range(start.line, start.character, end.line, end.character),
    preview: true,
  });
}
