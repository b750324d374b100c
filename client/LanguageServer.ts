/** The language server as the extension sees it: started once it has something to read, with its tree and its status. */
import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';
import {
  EDITOR_COMMANDS,
  EDITOR_MESSAGES,
  type EndpointTree,
  type ServerOptions,
  type ServerStatus,
} from '../runtime/contract/editorMessages.ts';

export class LanguageServer implements vscode.Disposable {
  readonly #client: LanguageClient;
  readonly #tree = new vscode.EventEmitter<EndpointTree>();
  readonly #status = new vscode.EventEmitter<ServerStatus>();
  /** Whenever something in the endpoint tree has changed. */
  readonly onTree = this.#tree.event;
  /** Whenever the server's health or activity has changed. */
  readonly onStatus = this.#status.event;
  #starting: Promise<void> | null = null;

  /** @param log - Where the server's own messages go. */
  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    const options: ServerOptions = {
      commands: Object.values(EDITOR_COMMANDS),
      endpointTree: true,
      status: true,
    };
    this.#client = new LanguageClient(
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
      },
    );
    this.#client.onNotification(EDITOR_MESSAGES.endpointTree, (tree: EndpointTree) => this.#tree.fire(tree));
    this.#client.onNotification(EDITOR_MESSAGES.status, (status: ServerStatus) => this.#status.fire(status));
  }

  /** Starts it; does nothing when it runs. */
  start(): Promise<void> {
    this.#starting ??= this.#client.start();
    return this.#starting;
  }

  /** Reads everything again. */
  async restart(): Promise<void> {
    if (this.#client.state === State.Stopped) await this.start();
    else await this.#client.restart();
  }

  async dispose(): Promise<void> {
    this.#tree.dispose();
    this.#status.dispose();
    if (this.#starting) await this.#client.dispose();
  }
}
