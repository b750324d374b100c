/** One client's session: what it can do, its workspace, and the failures that were reported to it. */
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
import type { ClientState, DocumentContext } from './features/feature.ts';
import { DiagnosticsPublisher } from './publish/DiagnosticsPublisher.ts';
import { IndexProgress } from './publish/IndexProgress.ts';
import type { ProjectSession } from './workspace/ProjectSession.ts';
import { Turns } from './workspace/Turns.ts';
import { pathOfUri } from './workspace/uris.ts';
import { Workspace } from './workspace/Workspace.ts';

export class ServerState {
  readonly connection: Connection;
  readonly diagnostics: DiagnosticsPublisher;
  /** As the client sent them; without folders before. */
  params: Pick<InitializeParams, 'capabilities' | 'rootUri' | 'workspaceFolders'> = {
    capabilities: {},
    rootUri: null,
  };
  options: ServerOptions = {};
  deployed: DeployedParams['projects'] = [];
  /** The client has taken in what the server can do. */
  readonly initialized = new Emitter<void>();
  /** Projects came or went. */
  readonly moved = new Emitter<void>();
  /** The server has failed on a place; true before it ends for that. */
  readonly failed = new Emitter<boolean>();
  /** Called whenever a project is up to date after changes. */
  readonly onSettled: ((session: ProjectSession) => Promise<void>)[] = [];
  /** Files that are read in slices. */
  readonly #large = new Set<string>();
  /** Places that the server failed on. */
  readonly faults = new Set<string>();
  /** The interpreter for a root, as `acceptSettings` finds it. */
  pythonOf: (root: string) => Promise<string | undefined> = () => Promise.resolve(this.options.python);
  readonly #progress: IndexProgress;
  #workspace: Workspace | null = null;
  #hasEnded = false;

  constructor(connection: Connection) {
    this.connection = connection;
    this.#progress = new IndexProgress(connection, (request) => this.ask(request));
    this.diagnostics = new DiagnosticsPublisher((params) => void connection.sendDiagnostics(params));
  }

  get capabilities(): ClientCapabilities {
    return this.params.capabilities;
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
    this.params = params;
    this.options = (params.initializationOptions ?? {}) as ServerOptions;
    const shown = params.capabilities.textDocument?.publishDiagnostics;
    this.#workspace = new Workspace({
      parser: await loadWasmParser(),
      pythonOf: (root) => this.pythonOf(root),
      turns: new Turns(),
      diagnostics: this.diagnostics,
      support: {
        related: shown?.relatedInformation ?? false,
        tags: shown?.tagSupport !== undefined,
        pages: shown?.codeDescriptionSupport ?? false,
      },
      onLarge: (place) => this.#noticeLarge(place),
      onFault: (place, error) => this.fault(place, error),
      onSettled: async (session) => {
        for (const listener of this.onSettled) await listener(session);
      },
      onBegun: ({ ready, project }) => this.#progress.follow({ ready, files: () => project.count }),
      onMoved: () => this.moved.fire(),
    });
    return {
      capabilities,
      serverInfo: { name: 'toolkit', version: process.env.TOOLKIT_VERSION ?? '0.0.0' },
    };
  }

  /** Works on one place; a failure costs that place alone. */
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

  /** Logs once why what follows from edits of a file takes its time. */
  #noticeLarge(place: string): void {
    if (this.#large.has(place)) return;
    this.#large.add(place);
    this.connection.console.info(
      `${place} is large, so it is read in slices: its findings and answers may lag behind edits by a few seconds.`,
    );
  }

  /** Reports a failure of the server, once for each place. Without the syntax engine nothing can be read: the client restarts. */
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

  /**
   * What a feature is given; null for a document that belongs to no project.
   *
   * @param mustBeCurrent - Whether places in other files must be those of their texts, as in edits: else they are those
   * of the newest finished snapshot, and nobody waits.
   */
  async context(
    uri: string,
    token: CancellationToken,
    mustBeCurrent: boolean,
  ): Promise<DocumentContext | null> {
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
      dev: known?.dev?.replace(/\/$/, '') ?? null,
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

/** For a failure of the toolkit itself, as of the commands. */
const EXIT_FAULT = 70;
