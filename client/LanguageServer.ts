/** The language server for the extension: started once there is something to read, with its tree and status. */
import * as vscode from 'vscode';
import { type LanguageClient, State } from 'vscode-languageclient/node';
import {
  type DeployedParams,
  EDITOR_MESSAGES,
  type EndpointTree,
  type LocateParams,
  type NodeLocation,
  type NodesIn,
  type ServerStatus,
} from '../runtime/contract/editorMessages.ts';
import { createClient, followSettings, offerRestart } from './languageClient.ts';
import type { PythonEnvironments } from './python/PythonEnvironments.ts';

export class LanguageServer implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #python: PythonEnvironments;
  readonly #log: vscode.LogOutputChannel;
  readonly #tree = new vscode.EventEmitter<EndpointTree>();
  readonly #status = new vscode.EventEmitter<ServerStatus>();
  readonly #started = new vscode.EventEmitter<void>();
  /** Fires when something in the endpoint tree has changed. */
  readonly onTree = this.#tree.event;
  /** Fires when the server's health or activity has changed. */
  readonly onStatus = this.#status.event;
  /** Fires when the server is running, and again after each restart. */
  readonly onStarted = this.#started.event;
  #client: Promise<LanguageClient | null> | null = null;
  #followingSettings: vscode.Disposable | null = null;

  /**
   * @param python - Selects the interpreter whose packages are read.
   * @param log - Receives the server's own messages.
   */
  constructor(context: vscode.ExtensionContext, python: PythonEnvironments, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#python = python;
    this.#log = log;
  }

  /** Starts the server, unless it runs. */
  async start(): Promise<void> {
    if (this.#client === null) await this.restart();
    else await this.#client;
  }

  /** Restarts the server with a new client: one whose server has crashed may be unable to start another. */
  async restart(): Promise<void> {
    const starting = this.#startClient(this.#client);
    this.#client = starting;
    const hasFailed = (await starting) === null;
    // The next call tries again.
    if (hasFailed && this.#client === starting) this.#client = null;
  }

  /** The current location of a node; null if it is gone. */
  async locate(params: LocateParams): Promise<NodeLocation | null> {
    return this.#ask(EDITOR_MESSAGES.locate, params);
  }

  /** The nodes in a document; null if it belongs to no project. */
  async nodesIn(uri: vscode.Uri): Promise<NodesIn | null> {
    return this.#ask(EDITOR_MESSAGES.nodesIn, { uri: uri.toString() });
  }

  /** Reports the deployments to the server. */
  async report(deployed: DeployedParams): Promise<void> {
    const client = await this.#client;
    if (client?.isRunning()) await client.sendNotification(EDITOR_MESSAGES.deployed, deployed);
  }

  async dispose(): Promise<void> {
    for (const emitter of [this.#tree, this.#status, this.#started]) emitter.dispose();
    this.#followingSettings?.dispose();
    await (await this.#client)?.dispose();
  }

  /**
   * @param former - Is ended before.
   * @returns Null if it could not be started, which the user is told.
   */
  async #startClient(former: Promise<LanguageClient | null> | null): Promise<LanguageClient | null> {
    const running = await former;
    await running?.dispose().catch(() => {}); // Its server may have crashed.
    const client = createClient(this.#context, this.#python, this.#log);
    client.onNotification(EDITOR_MESSAGES.endpointTree, (tree: EndpointTree) => this.#tree.fire(tree));
    client.onNotification(EDITOR_MESSAGES.status, (status: ServerStatus) => this.#status.fire(status));
    // The client restarts a crashed server by itself.
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) this.#started.fire();
    });
    try {
      await client.start();
    } catch (error) {
      this.#log.error(String(error));
      await client.dispose().catch(() => {}); // It had not started.
      void offerRestart(
        vscode.l10n.t('The language server of Serverless Endpoint Toolkit could not be started.'),
      );
      return null;
    }
    this.#followingSettings?.dispose();
    this.#followingSettings = followSettings(client, this.#python);
    return client;
  }

  async #ask<Answer>(method: string, params: object): Promise<Answer | null> {
    const client = await this.#client;
    return client?.isRunning() ? client.sendRequest<Answer | null>(method, params) : null;
  }
}
