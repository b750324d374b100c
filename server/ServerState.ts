/** One client's session: its capabilities, its workspace, and the failures reported to it. */
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
  /** As the client sent them with `initialize`; empty before that. */
  params: Pick<InitializeParams, 'capabilities' | 'rootUri' | 'workspaceFolders'> = {
    capabilities: {},
    rootUri: null,
  };
  options: ServerOptions = {};
  deployed: DeployedParams['projects'] = [];
  /** Fired when the client is initialized. */
  readonly initialized = new Emitter<void>();
  /** Fired when projects were added or removed. */
  readonly moved = new Emitter<void>();
  /** Fired when the server has failed; true if it exits because of it. */
  readonly failed = new Emitter<boolean>();
  /** Called whenever a project is up to date after changes. */
  readonly onSettled: ((session: ProjectSession) => Promise<void>)[] = [];
  /** Large files that have been logged. */
  readonly #large = new Set<string>();
  /** Files, projects and requests that the server failed on. */
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
   * @throws ResponseError at any other time.
   */
  get workspace(): Workspace {
    if (this.#workspace) return this.#workspace;
    throw this.#hasEnded
      ? new ResponseError(ErrorCodes.InvalidRequest, 'The server was shut down.')
      : new ResponseError(ErrorCodes.ServerNotInitialized, 'The editor has not sent "initialize".');
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

  /** Runs work on one file or document; a failure affects nothing else. */
  guard(place: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fault(place, error);
    }
  }

  /** Sends the client a request that it can refuse; a refusal is only logged. */
  ask(request: Promise<unknown>): void {
    request.catch((error: unknown) => {
      this.connection.console.warn(
        `The editor refused a request: ${error instanceof Error ? error.message : error}`,
      );
    });
  }

  /** Logs once that a file is large, to explain why its findings and responses lag behind edits. */
  #noticeLarge(place: string): void {
    if (this.#large.has(place)) return;
    this.#large.add(place);
    this.connection.console.info(
      `${place} is large, so it is read in slices: its findings and responses can lag a few seconds behind edits.`,
    );
  }

  /**
   * Reports a failure of the server, once per file, project or request. Exits if the syntax engine has stopped, since nothing
   * can be read without it: the client restarts the server.
   */
  fault(place: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const isFatal = error instanceof ToolkitError && error.code === 'INTERNAL';
    if (!this.faults.has(place)) {
      this.faults.add(place);
      this.connection.console.error(`${place}: ${text}`);
      // A notification, because not every client supports the request that shows a message with buttons.
      void this.connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Error,
        message: `The toolkit failed on ${place} and continues without it. Restart the language server after changing it, and please report the log.`,
      });
    }
    this.failed.fire(isFatal);
    if (isFatal) process.exit(EXIT_FAULT);
  }

  /**
   * The context of a feature; null for a document that belongs to no project.
   *
   * @param mustBeCurrent - Whether ranges in other files must fit their current texts, as edits need. Otherwise they
   *   come from the newest finished snapshot, and nothing waits.
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
    // Its ranges are those of the last text that was read.
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

  /** The client's capabilities, and what it has reported about a project. */
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

/** Exit code for a failure of the toolkit itself, as in the commands. */
const EXIT_FAULT = 70;
