/**
 * A generic client of the language server: the real process over stdio, as any editor uses it. Its end is
 * part of every test: a clean exit, nothing on stderr, and no unexpected message.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after } from 'node:test';
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
} from 'vscode-languageserver/node';
import {
  EDITOR_MESSAGES,
  type EditorSettings,
  type EndpointTree,
  type ProjectNode,
  type ServerOptions,
  type ServerStatistics,
  type ServerStatus,
} from '../../runtime/contract/editorMessages.ts';
import { uriOfPath } from '../../server/workspace/uris.ts';

const SERVER = path.join(import.meta.dirname, '../../dist/server.js');

/** A client that can show everything that the server sends. */
const CAPABILITIES: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true, showMessage: {} },
  workspace: {
    applyEdit: true,
    workspaceFolders: true,
    configuration: true,
    workspaceEdit: {
      documentChanges: true,
      changeAnnotationSupport: { groupsOnLabel: true },
      resourceOperations: ['create', 'rename', 'delete'],
    },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: {},
    codeLens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { relatedInformation: true, versionSupport: true, tagSupport: { valueSet: [1, 2] } },
    completion: {
      completionItem: {
        snippetSupport: true,
        documentationFormat: ['markdown', 'plaintext'],
        insertReplaceSupport: true,
        resolveSupport: { properties: ['documentation', 'additionalTextEdits', 'detail'] },
        labelDetailsSupport: true,
      },
      contextSupport: true,
      completionList: { itemDefaults: ['editRange'] },
    },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    signatureHelp: {
      signatureInformation: {
        documentationFormat: ['markdown', 'plaintext'],
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
      },
    },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['quickfix', 'source', 'source.fixAll', 'refactor'] },
      },
      isPreferredSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    rename: { prepareSupport: true, honorsChangeAnnotations: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    definition: { linkSupport: true },
    codeLens: {},
    inlayHint: { resolveSupport: { properties: ['tooltip'] } },
    callHierarchy: {},
    semanticTokens: {
      requests: { full: { delta: true }, range: true },
      tokenTypes: ['function', 'class', 'decorator', 'variable', 'parameter', 'string', 'method'],
      tokenModifiers: ['declaration', 'async', 'readonly'],
      formats: ['relative'],
    },
  },
};

interface Progress {
  kind: 'begin' | 'report' | 'end';
  message?: string;
}

interface StartOptions {
  /** Absolute paths of the workspace's folders. */
  folders: readonly string[];
  options?: ServerOptions;
  /** Replaces all capabilities. */
  capabilities?: ClientCapabilities;
  env?: NodeJS.ProcessEnv;
  settingsOf?: LanguageClient['settingsOf'];
  /** The server's command; by default the bundle over stdio. */
  command?: [file: string, ...args: string[]];
}

const running = new Set<ChildProcess>();
// Leftovers of a failed test must not block the others.
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** The URI of a path, as VS Code spells it. */
export function uriOf(...parts: string[]): string {
  return uriOfPath(path.join(...parts));
}

export class LanguageClient {
  readonly connection: ProtocolConnection;
  readonly process: ChildProcess;
  /** What the server reported about itself. */
  initialized!: InitializeResult;
  /** URI → the last publication. */
  readonly published = new Map<string, PublishDiagnosticsParams>();
  /** Each publication, in order. */
  readonly publications: PublishDiagnosticsParams[] = [];
  /** The tree after each notification: all projects, in order of id. */
  readonly trees: (Omit<EndpointTree, 'projects'> & { projects: ProjectNode[] })[] = [];
  /** The notifications themselves. */
  readonly treeChanges: EndpointTree[] = [];
  readonly statuses: ServerStatus[] = [];
  /** Responds to `workspace/configuration`. */
  settingsOf: (scopeUri: string) => EditorSettings | null = () => null;
  /** Shown or logged messages. A test that expects one removes it. */
  readonly messages: string[] = [];
  /** Shown progress of long work. */
  readonly progress: Progress[] = [];
  readonly #unexpected: string[] = [];
  readonly #versions = new Map<string, number>();
  #stderr = '';

  private constructor({ command, env }: StartOptions) {
    const [file, ...args] = command ?? [process.execPath, SERVER, '--stdio'];
    this.process = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    running.add(this.process);
    this.process.once('exit', () => running.delete(this.process));
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.connection = createProtocolConnection(this.process.stdout!, this.process.stdin!, {
      error: (message) => this.#unexpected.push(message),
      warn: (message) => this.#unexpected.push(message),
      info: () => {},
      log: () => {},
    });
    this.#listen();
    // A pending request gets no response any more: it fails with what the server has printed.
    this.process.once('close', () => {
      if (this.#stderr) process.stderr.write(this.#stderr);
      this.connection.dispose();
    });
  }

  /** Starts a server, and waits until it has read the folders. */
  static async start(options: StartOptions): Promise<LanguageClient> {
    const client = new LanguageClient(options);
    if (options.settingsOf) client.settingsOf = options.settingsOf;
    client.initialized = await client.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: options.folders.map((folder) => ({
        uri: uriOf(folder),
        name: path.basename(folder),
      })),
      capabilities: options.capabilities ?? CAPABILITIES,
      initializationOptions: { endpointTree: true, ...options.options },
    });
    await client.connection.sendNotification('initialized', {});
    await client.settled();
    return client;
  }

  /** Waits until the server has processed all messages, and has published the results. */
  settled(): Promise<ServerStatistics> {
    return this.connection.sendRequest(EDITOR_MESSAGES.statistics);
  }

  request<Result>(method: string, params: unknown): Promise<Result> {
    return this.connection.sendRequest(method, params);
  }

  notify(method: string, params: unknown): Promise<void> {
    return this.connection.sendNotification(method, params);
  }

  async addFolder(folder: string): Promise<void> {
    await this.#folders([folder], []);
  }

  async removeFolder(folder: string): Promise<void> {
    await this.#folders([], [folder]);
  }

  async open(
    uri: string,
    text: string,
    languageId = uri.endsWith('.toml') ? 'toml' : 'python',
  ): Promise<void> {
    this.#versions.set(uri, 1);
    await this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  /** Changes an open document; without a range, its whole text. */
  async change(uri: string, ...contentChanges: { range?: Range; text: string }[]): Promise<void> {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    await this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
  }

  async close(uri: string): Promise<void> {
    this.#versions.delete(uri);
    await this.notify('textDocument/didClose', { textDocument: { uri } });
  }

  /** Reports created, changed or deleted files, and waits for the results. */
  async changedOnDisk(...changes: [type: 'made' | 'changed' | 'deleted', file: string][]): Promise<void> {
    const types = { made: 1, changed: 2, deleted: 3 };
    await this.notify('workspace/didChangeWatchedFiles', {
      changes: changes.map(([type, file]) => ({ uri: uriOf(file), type: types[type] })),
    });
    await this.settled();
  }

  /** The diagnostics that the server last published for a file. */
  diagnosticsOf(uri: string): Diagnostic[] {
    return this.published.get(uri)?.diagnostics ?? [];
  }

  /** Ends the server, and asserts a clean exit without unexpected messages. */
  async stop(): Promise<void> {
    const ended = once(this.process, 'close');
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const [code, signal] = await ended;
    assert.deepEqual(
      { code, signal, stderr: this.#stderr, unexpected: this.#unexpected, messages: this.messages },
      { code: 0, signal: null, stderr: '', unexpected: [], messages: [] },
    );
  }

  #listen(): void {
    const { connection } = this;
    connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.publications.push(params);
      this.published.set(params.uri, params);
    });
    connection.onNotification(
      EDITOR_MESSAGES.endpointTree,
      (tree: EndpointTree) => void this.#takeTree(tree),
    );
    connection.onNotification(
      EDITOR_MESSAGES.status,
      (status: ServerStatus) => void this.statuses.push(status),
    );
    for (const shown of ['window/showMessage', 'window/logMessage']) {
      connection.onNotification(
        shown,
        ({ message }: { message: string }) => void this.messages.push(message),
      );
    }
    const answered = [
      'client/registerCapability',
      'client/unregisterCapability',
      'window/workDoneProgress/create',
      'workspace/codeLens/refresh',
      'workspace/inlayHint/refresh',
      'workspace/semanticTokens/refresh',
    ];
    for (const request of answered) connection.onRequest(request, () => null);
    connection.onNotification(
      '$/progress',
      ({ value }: { value: Progress }) => void this.progress.push(value),
    );
    connection.onRequest('workspace/configuration', ({ items }: { items: { scopeUri: string }[] }) =>
      items.map(({ scopeUri }) => this.settingsOf(scopeUri)),
    );
    connection.onUnhandledNotification(({ method }) => void this.#unexpected.push(method));
    connection.onError(([error]) => void this.#unexpected.push(error.message));
    connection.listen();
  }

  #takeTree(tree: EndpointTree): void {
    this.treeChanges.push(tree);
    const projects = new Map((this.trees.at(-1)?.projects ?? []).map((project) => [project.id, project]));
    for (const id of tree.removed) projects.delete(id);
    for (const { order, ...project } of tree.projects) {
      const before = projects.get(project.id)?.endpoints ?? [];
      const known = new Map([...before, ...project.endpoints].map((node) => [node.id, node]));
      const ids = order ?? before.map(({ id }) => id);
      projects.set(project.id, { ...project, endpoints: ids.map((id) => known.get(id)!) });
    }
    const inOrder = [...projects.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.trees.push({ ...tree, projects: inOrder });
  }

  async #folders(added: readonly string[], removed: readonly string[]): Promise<void> {
    const asFolders = (folders: readonly string[]) =>
      folders.map((folder) => ({ uri: uriOf(folder), name: path.basename(folder) }));
    await this.notify('workspace/didChangeWorkspaceFolders', {
      event: { added: asFolders(added), removed: asFolders(removed) },
    });
    await this.settled();
  }
}
