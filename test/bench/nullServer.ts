/** A minimal language server: it responds to every hover, and to every change with the same diagnostics. */
import { createConnection, TextDocumentSyncKind } from 'vscode-languageserver/node';

const connection = createConnection(process.stdin, process.stdout);
connection.onInitialize(() => ({
  capabilities: { hoverProvider: true, textDocumentSync: TextDocumentSyncKind.Incremental },
}));
connection.onHover(() => ({ contents: { kind: 'markdown', value: '**run** · queue-based endpoint' } }));
let changes = 0;
connection.onDidChangeTextDocument(({ textDocument: { uri, version } }) => {
  changes += 1;
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: changes % 2 } };
  void connection.sendDiagnostics({ uri, version, diagnostics: [{ range, message: 'null', severity: 1 }] });
});
connection.listen();
