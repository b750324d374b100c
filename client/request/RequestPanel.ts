/** One request panel: the page from `media` in a webview, connected to a dev server. */
import * as vscode from 'vscode';
import type { FromPanel, PanelState, RouteChoice, ToPanel } from '../../runtime/contract/panelMessages.ts';
import type { StartDev } from '../dev/devCommands.ts';
import type { DevAccess } from './DevAccess.ts';
import { DevFollower } from './DevFollower.ts';
import { panelHtml } from './panelHtml.ts';
import { RequestRelay } from './RequestRelay.ts';

export interface RequestPanelContext {
  devServers: DevAccess;
  extensionUri: vscode.Uri;
  /** Workspace state, where pages store data. */
  memento: vscode.Memento;
}

export class RequestPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #context: RequestPanelContext;
  readonly #dev: DevFollower;
  readonly #relay: RequestRelay;
  #state: PanelState;
  /** Whether the page receives messages. */
  #isReady = false;

  /** @param panel - An empty panel. Disposing it disposes everything here. */
  constructor(panel: vscode.WebviewPanel, state: PanelState, context: RequestPanelContext) {
    this.#panel = panel;
    this.#state = state;
    this.#context = context;
    this.#dev = new DevFollower(state.root, context.devServers);
    this.#relay = new RequestRelay((message) => this.#post(message));
    const ends = [
      this.#dev,
      this.#dev.onStatus(() => this.#sendState()),
      this.#dev.onEvent((event) => this.#send({ type: 'event', event })),
      panel.webview.onDidReceiveMessage((message: FromPanel) => this.#receive(message)),
    ];
    panel.onDidDispose(() => {
      this.#isReady = false;
      this.#relay.abortAll();
      vscode.Disposable.from(...ends).dispose();
    });
    panel.webview.html = panelHtml(panel.webview, context.extensionUri);
  }

  /** Shows a route, and finds or starts the dev server. */
  async show(choice: RouteChoice | null, options: { start: StartDev }): Promise<void> {
    if (choice) {
      this.#state = { ...this.#state, choice };
      this.#send({ type: 'choose', choice });
    }
    if (this.#dev.status.state !== 'connected') await this.#dev.connect(options);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  async #receive(message: FromPanel): Promise<void> {
    const { memento } = this.#context;
    switch (message.type) {
      case 'ready':
        // A panel moved to another window reloads its page.
        this.#relay.abortAll();
        this.#isReady = true;
        this.#send({ type: 'start', state: this.#state, stored: memento.get(this.#place, {}) });
        return this.#sendState();
      case 'request':
        return this.#relay.send(this.#dev.status.address, message);
      case 'abort':
        return this.#relay.abort(message.id);
      case 'store': {
        const stored = memento.get<Record<string, unknown>>(this.#place, {});
        return await memento.update(this.#place, { ...stored, [message.name]: message.value });
      }
      case 'copy':
        return this.#send({ type: 'copied', id: message.id, failure: await copy(message.text) });
      case 'save':
        return await save(message);
      case 'openSource':
        return await this.#openSource(message);
      case 'startDev':
        return await this.#dev.connect({ start: 'now' });
    }
  }

  get #place(): string {
    return `requests ${this.#state.root}`;
  }

  async #openSource({ file, line }: Extract<FromPanel, { type: 'openSource' }>): Promise<void> {
    const root = vscode.Uri.parse(this.#state.root);
    const uri = vscode.Uri.joinPath(root, file);
    if (!uri.path.startsWith(`${root.path.replace(/\/$/, '')}/`)) return;
    const start = new vscode.Position(Math.max(line - 1, 0), 0);
    await vscode.window.showTextDocument(uri, {
      selection: new vscode.Range(start, start),
      // In another editor group than the panel's.
      viewColumn: columnBeside(this.#panel.viewColumn),
    });
  }

  /** Sends the status without the token, which is added to requests outside the page. */
  #sendState(): void {
    const { state, address } = this.#dev.status;
    this.#send({ type: 'dev', state, origin: address?.url ?? null });
  }

  #send(message: ToPanel): void {
    void this.#post(message);
  }

  async #post(message: ToPanel): Promise<void> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- It is not a window's.
    if (this.#isReady) await this.#panel.webview.postMessage(message);
  }
}

/** The first editor group that is not the panel's, or a new one. */
function columnBeside(panel: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const other = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn !== panel);
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** Copies to the clipboard. Returns the error message; null on success. */
async function copy(text: string): Promise<string | null> {
  try {
    await vscode.env.clipboard.writeText(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function save({ name, bytes }: Extract<FromPanel, { type: 'save' }>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog(
    folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {},
  );
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
}
