/** What one client has told and is told: its capabilities, its workspace, and the faults that were reported to it. */
import {
  type CancellationToken,
  type ClientCapabilities,
  type Connection,
  Emitter,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ResponseError,
  type ServerCapabilities,
  ShowMessageNotification,
} from 'vscode-languageserver';
import type { DeployedParams, ServerOptions } from '../runtime/contract/editorMessages.ts';
import { ToolkitError } from '../runtime/contract/errors.ts';
import { PROJECT_FILES } from '../runtime/contract/names.ts';
import { loadWasmParser } from '../runtime/source/syntax/wasmParser.ts';
import type { ClientState, FeatureContext, PlaceContext } from './features/feature.ts';
import { DiagnosticsPublisher } from './publish/DiagnosticsPublisher.ts';
import { IndexProgress } from './publish/IndexProgress.ts';
import type { ProjectSession } from './workspace/ProjectSession.ts';
import { Turns } from './workspace/Turns.ts';
import { pathOfUri } from './workspace/uris.ts';
import { Workspace } from './workspace/Workspace.ts';

export class ServerState {
  readonly connection: Connection;
  readonly diagnostics: DiagnosticsPublisher;
  capabilities: ClientCapabilities = {};
  options: ServerOptions = {};
  deployed: DeployedParams['projects'] = [];
  #workspace: Workspace | null = null;
  #hasEnded = false;
  readonly #progress: IndexProgress;
  /** The client has taken in what the server can do. */
  readonly initialized = new Emitter<void>();
  /** The server has failed on a place; true before it ends for that. */
  readonly failed = new Emitter<boolean>();
  /** Places that the server failed on. */
  readonly faults = new Set<string>();
  /** The interpreter for a root, as `acceptSettings` finds it. */
  pythonOf: (root: string) => Promise<string | undefined> = () => Promise.resolve(this.options.python);
  readonly #onInitialize: ((params: InitializeParams) => void)[] = [];
  readonly #onSettled: ((session: ProjectSession) => Promise<void>)[] = [];
  readonly #onMoved: (() => void)[] = [];

  constructor(connection: Connection) {
    this.connection = connection;
    this.#progress = new IndexProgress(connection, (request) => this.ask(request));
    this.diagnostics = new DiagnosticsPublisher((params) => void connection.sendDiagnostics(params));
  }

  /**
   * The workspace, between the client's `initialize` and its `shutdown`.
   *
   * @throws ResponseError to whoever asks at another time.
   */
  get workspace(): Workspace {
    if (this.#workspace) return this.#workspace;
    throw this.#hasEnded
      ? new ResponseError(ErrorCodes.InvalidRequest, 'The server was shut down.')
      : new ResponseError(ErrorCodes.ServerNotInitialized, 'The editor has not said initialize.');
  }

  async initialize(params: InitializeParams, capabilities: ServerCapabilities): Promise<InitializeResult> {
    this.capabilities = params.capabilities;
    this.options = (params.initializationOptions ?? {}) as ServerOptions;
    const shown = params.capabilities.textDocument?.publishDiagnostics;
    this.#workspace = new Workspace(
      {
        parser: await loadWasmParser(),
        pythonOf: (root) => this.pythonOf(root),
        turns: new Turns(),
        diagnostics: this.diagnostics,
        support: {
          related: shown?.relatedInformation ?? false,
          tags: shown?.tagSupport !== undefined,
          pages: shown?.codeDescriptionSupport ?? false,
        },
        onFault: (place, error) => this.fault(place, error),
      },
      {
        onSettled: async (session) => {
          for (const listener of this.#onSettled) await listener(session);
        },
        onBegun: ({ ready, project }) => this.#progress.follow({ ready, files: () => project.count }),
        onMoved: () => {
          for (const listener of this.#onMoved) listener();
        },
      },
    );
    for (const listener of this.#onInitialize) listener(params);
    return {
      capabilities,
      serverInfo: { name: 'toolkit', version: process.env.TOOLKIT_VERSION ?? '0.0.0' },
    };
  }

  /** Called when the client has said what it is. */
  onInitialize(listener: (params: InitializeParams) => void): void {
    this.#onInitialize.push(listener);
  }

  /** Called whenever a project is up to date after changes. */
  onSettled(listener: (session: ProjectSession) => Promise<void>): void {
    this.#onSettled.push(listener);
  }

  /** Called when projects came or went, before those that went are ended. */
  onMoved(listener: () => void): void {
    this.#onMoved.push(listener);
  }

  /** Work for one place; a fault of ours in it costs that place alone. */
  guard(place: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fault(place, error);
    }
  }

  /** Asks the client for something that it may refuse: then it goes without. */
  ask(request: Promise<unknown>): void {
    request.catch((error: unknown) => {
      this.connection.console.warn(
        `The editor refused a request: ${error instanceof Error ? error.message : error}`,
      );
    });
  }

  /** Reports a fault of ours, once for each place. After the engine's end nothing can be read: the client restarts. */
  fault(place: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const isFatal = error instanceof ToolkitError && error.code === 'INTERNAL';
    if (!this.faults.has(place)) {
      this.faults.add(place);
      this.connection.console.error(`${place}: ${text}`);
      // A message with answers to choose from would be a request, which not every client knows.
      void this.connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Error,
        message: `The toolkit failed on ${place} and goes on without it. Restart the language server after changing it, and please report the log.`,
      });
    }
    this.failed.fire(isFatal);
    if (isFatal) process.exit(EXIT_FAULT);
  }

  /** What a feature is given for a Python document, open or not; null when it belongs to no project. */
  async context(uri: string, token: CancellationToken): Promise<FeatureContext | null> {
    const context = await this.placeContext(uri, token);
    if (!context) return null;
    const { project, document } = context;
    const { file } = document;
    const open = this.workspace.placeOf(uri)?.session.openFile(file);
    if (open) return { ...context, document: open };
    const text = project.textOf(file);
    const facts = project.index.names.factsOf(file);
    return text === null || !facts ? null : { ...context, document: { ...document, text, facts } };
  }

  /**
   * What a feature is given that needs no text of the document, which may be pyproject.toml.
   *
   * @param mustBeCurrent - Whether places in other files must be those of their texts, as in edits: else they are those
   * of the newest finished snapshot, and nobody waits.
   */
  async placeContext(
    uri: string,
    token: CancellationToken,
    mustBeCurrent = false,
  ): Promise<PlaceContext | null> {
    const place = this.workspace.placeOf(uri);
    if (!place) return null;
    const { session, file } = place;
    await session.ready;
    // Places in it are those of the text that was read last.
    if (file === PROJECT_FILES.pyproject) await session.caughtUp();
    if (mustBeCurrent || !session.project.isCurrent(file)) await session.current();
    if (token.isCancellationRequested) return null;
    const aborted = new AbortController();
    token.onCancellationRequested(() => aborted.abort());
    return {
      project: session.project.view(),
      document: { uri, file },
      client: this.clientOf(session.project.root),
      uriOf: (other) => session.uriOf(other),
      versionOf: (other) => session.versionOf(other),
      signal: aborted.signal,
    };
  }

  /** What the client can do, and what it has said of a project. */
  clientOf(root: string): ClientState {
    const known = this.deployed.find((project) => pathOfUri(project.root) === root);
    return {
      capabilities: this.capabilities,
      commands: new Set(this.options.commands ?? []),
      deployed: known?.endpoints ?? {},
      environment: known?.environment ?? null,
      dev: known?.dev ?? null,
    };
  }

  dispose(): void {
    this.#hasEnded = true;
    this.failed.dispose();
    this.#progress.end();
    this.#workspace?.dispose();
    this.#workspace = null;
  }
}

/** Of a fault of ours, as of the commands. */
const EXIT_FAULT = 70;
