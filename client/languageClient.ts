/** The client of the language server: starts the server, and filters its answers by the settings. */
import * as vscode from 'vscode';
import {
  CloseAction,
  CodeLensRequest,
  DidChangeConfigurationNotification,
  type ErrorHandler,
  LanguageClient,
  TransportKind,
} from 'vscode-languageclient/node';
import { EDITOR_COMMANDS, type LensKind, type ServerOptions } from '../runtime/contract/editorMessages.ts';
import type { PythonEnvironments } from './python/PythonEnvironments.ts';

/**
 * @param python - Selects the interpreter whose packages are read.
 * @param log - Receives the server's own messages.
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
  return new Client(
    'toolkit',
    'Serverless Endpoint Toolkit',
    { module: context.asAbsolutePath('dist/server.js'), transport: TransportKind.ipc },
    {
      documentSelector: [
        { scheme: 'file', language: 'python' },
        { scheme: 'file', pattern: '**/pyproject.toml' },
      ],
      initializationOptions: options,
      // It would show the error with its code. LanguageServer and the client's close handler say what can be done.
      initializationFailedHandler: () => false,
      outputChannel: log,
      // The check task has the same owner in package.json, so that nothing is listed twice.
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
}

/** Notifies the server and the lenses of changes in the window. */
export function followSettings(client: LanguageClient, python: PythonEnvironments): vscode.Disposable {
  return vscode.Disposable.from(
    // The server then requests the settings again.
    python.onDidChange(() => {
      if (client.isRunning())
        void client.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('toolkit.lenses')) refreshLenses(client);
    }),
  );
}

class Client extends LanguageClient {
  /** If the server keeps crashing, asks the user with a button instead of restarting it. */
  override createDefaultErrorHandler(maxRestartCount?: number): ErrorHandler {
    const usual = super.createDefaultErrorHandler(maxRestartCount);
    return {
      error: (...args) => usual.error(...args),
      closed: async () => {
        const result = await usual.closed();
        if (result.action === CloseAction.DoNotRestart)
          void offerRestart(
            vscode.l10n.t('The language server of Serverless Endpoint Toolkit keeps crashing.'),
          );
        return result;
      },
    };
  }

  /** Only logs: its sentences are about connections and codes, and a crashed server is started again. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Shows a message about the server, with buttons that start it again and that show the log. */
export async function offerRestart(text: string): Promise<void> {
  const restart = vscode.l10n.t('Restart');
  const details = vscode.l10n.t('Show Details');
  const chosen = await vscode.window.showErrorMessage(text, restart, details);
  if (chosen === restart) await vscode.commands.executeCommand('toolkit.restartServer');
  if (chosen === details) await vscode.commands.executeCommand('toolkit.showLog');
}

function refreshLenses(client: LanguageClient): void {
  const feature = client.getFeature(CodeLensRequest.method);
  for (const document of vscode.workspace.textDocuments)
    feature.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
}

/** The kind is in the data that the server sends with a lens, which the client keeps until the lens is resolved. */
function kindOf(lens: vscode.CodeLens): LensKind {
  return (lens as vscode.CodeLens & { data: { kind: LensKind } }).data.kind;
}

/** Adds the project's interpreter to its settings. The server finds one on PATH by itself. */
async function withPython(settings: unknown, python: PythonEnvironments, root: string): Promise<unknown> {
  const chosen = await python.of(vscode.Uri.parse(root).fsPath);
  return { ...(settings as object | null), python: chosen && chosen.source !== 'path' ? chosen.path : null };
}
