/** The client of the language server: how the server is started, and what of its answers the settings leave out. */
import * as vscode from 'vscode';
import {
  CodeLensRequest,
  DidChangeConfigurationNotification,
  LanguageClient,
  TransportKind,
} from 'vscode-languageclient/node';
import { EDITOR_COMMANDS, type LensKind, type ServerOptions } from '../runtime/contract/editorMessages.ts';
import type { PythonEnvironments } from './python/PythonEnvironments.ts';

/**
 * @param python - Whose packages count.
 * @param log - Where the server's own messages go.
 */
export function createClient(
  context: vscode.ExtensionContext,
  python: PythonEnvironments,
  log: vscode.LogOutputChannel,
): LanguageClient {
  const options: ServerOptions = {
    commands: Object.values(EDITOR_COMMANDS),
    endpointTree: true,
    status: true,
  };
  const client = new LanguageClient(
    'toolkit',
    'Serverless Endpoint Toolkit',
    { module: context.asAbsolutePath('dist/server.js'), transport: TransportKind.ipc },
    {
      documentSelector: [
        { scheme: 'file', language: 'python' },
        { scheme: 'file', pattern: '**/pyproject.toml' },
      ],
      initializationOptions: options,
      outputChannel: log,
      // The task that checks has the same owner in package.json, so that nothing is listed twice.
      diagnosticCollectionName: 'toolkit',
      middleware: {
        workspace: {
          async configuration(params, token, next) {
            const settings: unknown = await next(params, token);
            if (!Array.isArray(settings)) return [];
            const filled = params.items.map(({ scopeUri, section }, at) =>
              section === 'toolkit' && scopeUri ? withPython(settings[at], python, scopeUri) : settings[at],
            );
            return Promise.all(filled);
          },
        },
        async provideCodeLenses(document, token, next) {
          const lenses = await next(document, token);
          const shown = vscode.workspace
            .getConfiguration('toolkit', document)
            .get<Partial<Record<LensKind, boolean>>>('lenses', {});
          return lenses?.filter((lens) => shown[kindOf(lens)] !== false);
        },
      },
    },
  );
  context.subscriptions.push(
    // The server then asks for the settings again.
    python.onDidChange(() => {
      if (client.isRunning())
        void client.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('toolkit.lenses')) refreshLenses(client);
    }),
  );
  return client;
}

function refreshLenses(client: LanguageClient): void {
  const feature = client.getFeature(CodeLensRequest.method);
  for (const document of vscode.workspace.textDocuments)
    feature.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
}

/** The client keeps what the server sends with a lens until it is resolved. */
function kindOf(lens: vscode.CodeLens): LensKind {
  return (lens as vscode.CodeLens & { data: { kind: LensKind } }).data.kind;
}

/** The settings of a project with the interpreter that counts for it. On PATH the server finds one itself. */
async function withPython(settings: unknown, python: PythonEnvironments, root: string): Promise<unknown> {
  const chosen = await python.of(vscode.Uri.parse(root).fsPath);
  return { ...(settings as object | null), python: chosen && chosen.source !== 'path' ? chosen.path : null };
}
