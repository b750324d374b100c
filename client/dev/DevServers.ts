/** The dev servers of the window's projects, by root. A reloaded window finds its earlier ones. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { DevMessage } from '../../runtime/contract/devSocket.ts';
import type { Core, Surroundings } from '../core/Core.ts';
import type { Environments } from '../deployed/Environments.ts';
import type { ProjectRoots } from '../projects/ProjectRoots.ts';
import { DevServer, type RunningDev } from './DevServer.ts';

/** Workspace state: by root, the run that this window started last. */
const STARTED = 'toolkit.dev.started';

/** Hosts that mean this machine. */
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export interface DevServersOptions {
  context: vscode.ExtensionContext;
  roots: ProjectRoots;
  core: Core;
  surroundings: (root: string) => Promise<Surroundings>;
  environments: Environments;
  log: (text: string) => void;
}

export class DevServers implements vscode.Disposable {
  readonly #options: DevServersOptions;
  readonly #changed = new vscode.EventEmitter<{ root: string; running: RunningDev | null }>();
  readonly #messages = new vscode.EventEmitter<{ root: string; message: DevMessage }>();
  readonly #notes = new vscode.EventEmitter<{ root: string; note: string }>();
  /** Fires when the dev server of a root is ready, and when it has ended. */
  readonly onDidChange = this.#changed.event;
  /** Events of the dev servers. */
  readonly onMessage = this.#messages.event;
  /** Messages about the start of a dev server. */
  readonly onNote = this.#notes.event;
  readonly #servers = new Map<string, DevServer>();
  readonly #subscriptions: vscode.Disposable[];

  /** Starts looking for running dev servers; in an untrusted workspace, once it is trusted. */
  constructor(options: DevServersOptions) {
    this.#options = options;
    this.#subscriptions = [
      options.roots.onDidChange(() => this.#findAll()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#findAll()),
      vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => this.#leave(removed)),
    ];
    this.#findAll();
  }

  /** The running dev server of a root; null while none is known. */
  running(root: string): RunningDev | null {
    return this.#servers.get(root)?.running ?? null;
  }

  /** The URL of a root's running dev server, else null. */
  url(root: string): string | null {
    return this.running(root)?.url ?? null;
  }

  /** The running dev server of a root, after the first search has ended. */
  async find(root: string): Promise<RunningDev | null> {
    return (await this.#of(root)?.find()) ?? null;
  }

  /**
   * Returns the running dev server of a root, or starts one.
   *
   * @param port - The port to try first; null for the one in the settings.
   * @throws ToolkitError for everything that a user can fix.
   */
  async start(root: string, signal: AbortSignal, port: number | null = null): Promise<RunningDev | null> {
    return (await this.#of(root)?.start(signal, port)) ?? null;
  }

  /** Stops the dev server of a root, if an editor started it. */
  async stop(root: string): Promise<void> {
    await this.#servers.get(root)?.stop();
  }

  /** The URL at which the user's browser can reach a path of a root's dev server. Makes the server accept its host. */
  async externalUri(root: string, place: string): Promise<vscode.Uri | null> {
    const running = this.running(root);
    if (!running) return null;
    const fragment = running.token === null ? '' : `token=${running.token}`;
    const own = vscode.Uri.parse(`${running.url}${place}`).with({ fragment });
    const external = await vscode.env.asExternalUri(own);
    const host = new URL(`${external.scheme}://${external.authority}`).hostname;
    if (host !== new URL(running.url).hostname && !LOCAL.test(host))
      await this.#servers.get(root)?.allowHost(host);
    return external;
  }

  dispose(): void {
    for (const one of [...this.#subscriptions, ...this.#servers.values()]) one.dispose();
    this.#changed.dispose();
    this.#messages.dispose();
    this.#notes.dispose();
  }

  /** Looks for all dev servers. Those that this window had are found before the language server knows their projects. */
  #findAll(): void {
    for (const root of [...Object.keys(this.#started), ...this.#options.roots.all.map((one) => one.path)])
      this.#of(root);
    const running = [...this.#servers.values()].some((one) => one.running !== null);
    void vscode.commands.executeCommand('setContext', 'toolkit.devRunning', running);
  }

  /** Disconnects from dev servers in folders that the window no longer has. They end if no other client is attached. */
  #leave(removed: readonly vscode.WorkspaceFolder[]): void {
    for (const [root, server] of this.#servers) {
      if (!removed.some(({ uri }) => root === uri.fsPath || root.startsWith(uri.fsPath + path.sep))) continue;
      this.#servers.delete(root);
      server.dispose();
      this.#changed.fire({ root, running: null });
    }
  }

  get #started(): Record<string, string> {
    return this.#options.context.workspaceState.get<Record<string, string>>(STARTED, {});
  }

  #of(root: string): DevServer | null {
    if (!vscode.workspace.isTrusted) return null;
    const known = this.#servers.get(root);
    if (known) return known;
    const { context, core, surroundings, environments, log } = this.#options;
    const server = new DevServer({
      root,
      core,
      script: context.asAbsolutePath(path.join('dist', 'cli.js')),
      logs: context.logUri.fsPath,
      surroundings: () => surroundings(root),
      environment: () => environments.selected(vscode.Uri.file(root).toString()),
      port: () => vscode.workspace.getConfiguration('toolkit', vscode.Uri.file(root)).get('dev.port', 8888),
      startedRun: {
        get: () => this.#started[root],
        set: (run) => void context.workspaceState.update(STARTED, { ...this.#started, [root]: run }),
      },
      log,
    });
    this.#servers.set(root, server);
    server.onMessage((message) => this.#messages.fire({ root, message }));
    server.onNote((note) => this.#notes.fire({ root, note }));
    server.onDidChange((running) => {
      if (running === null) this.#forget(root);
      this.#changed.fire({ root, running });
      this.#findAll();
    });
    return server;
  }

  /** Forgets an ended dev server, so that it is not looked for when the window starts again. */
  #forget(root: string): void {
    const { [root]: _, ...others } = this.#started;
    void this.#options.context.workspaceState.update(STARTED, others);
  }
}
