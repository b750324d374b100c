/** Composes the extension. What a window without endpoints never needs is loaded when it is first used. */
import * as vscode from 'vscode';
import { ExplorerView } from './explorer/ExplorerView.ts';
import { hasProject, mentions } from './hasProject.ts';
import type { LanguageServer } from './LanguageServer.ts';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Serverless Endpoint Toolkit', { log: true });
  const explorer = new ExplorerView();
  let starting: Promise<LanguageServer> | null = null;
  const server = () => (starting ??= startServer(context, log, explorer));
  context.subscriptions.push(
    log,
    explorer,
    vscode.commands.registerCommand('toolkit.restartServer', async () => (await server()).restart()),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (mentions(document)) void server();
    }),
  );
  if (await hasProject()) await server();
}

async function startServer(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  explorer: ExplorerView,
): Promise<LanguageServer> {
  const { LanguageServer } = await import('./LanguageServer.ts');
  const server = new LanguageServer(context, log);
  context.subscriptions.push(
    server,
    server.onTree((tree) => explorer.show(tree)),
  );
  await server.start();
  return server;
}
