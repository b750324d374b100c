/** Follows one project's dev server for a panel: its status and its events. Reconnects by itself. */
import type { ClientRequest } from 'node:http';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import type { DevState } from '../../runtime/contract/panelMessages.ts';
import { PAGE_PATHS, type PageEvent } from '../../runtime/contract/requestPage.ts';
import type { DevAddress } from '../dev/DevServer.ts';
import type { StartDev } from '../dev/devCommands.ts';
import { jsonLine } from '../dev/jsonLine.ts';
import type { DevAccess } from './DevAccess.ts';
import { devRequest } from './devRequest.ts';

/** Status of the dev server; `address` is null if there is none. */
export interface DevStatus {
  state: DevState;
  address: DevAddress | null;
}

/** In milliseconds. Time between two attempts to reach a known dev server that does not respond. */
const RETRY_MS = 500;

export class DevFollower implements vscode.Disposable {
  readonly #root: string;
  readonly #servers: DevAccess;
  readonly #changed = new vscode.EventEmitter<DevStatus>();
  readonly #happened = new vscode.EventEmitter<PageEvent>();
  readonly onStatus = this.#changed.event;
  readonly onEvent = this.#happened.event;
  readonly #watch: vscode.Disposable;
  #status: DevStatus = { state: 'starting', address: null };
  /** The event stream of the current attempt. */
  #events: ClientRequest | null = null;
  #retry: NodeJS.Timeout | undefined;
  /** Number of the current attempt. Results of earlier ones are ignored. */
  #attempt = 0;

  /** @param root - URI of the project's root. */
  constructor(root: string, servers: DevAccess) {
    this.#root = root;
    this.#servers = servers;
    this.#watch = servers.onDidChange((changed) => {
      if (isSame(changed, root) && this.#status.state !== 'connected') void this.connect({ start: 'never' });
    });
  }

  get status(): DevStatus {
    return this.#status;
  }

  /** Finds the dev server, or starts it. */
  async connect({ start }: { start: StartDev }): Promise<void> {
    const attempt = this.#begin();
    const onState = (state: DevState) => {
      if (attempt === this.#attempt) this.#become({ state, address: null });
    };
    const address = await this.#servers.find(this.#root, { start, onState });
    if (attempt !== this.#attempt) return;
    if (address === null) this.#become({ state: 'stopped', address: null });
    else this.#follow(address, attempt);
  }

  dispose(): void {
    this.#begin();
    this.#watch.dispose();
    this.#changed.dispose();
    this.#happened.dispose();
  }

  /** Ends the current attempt and begins a new one. */
  #begin(): number {
    clearTimeout(this.#retry);
    this.#events?.destroy();
    this.#events = null;
    return ++this.#attempt;
  }

  #follow(address: DevAddress, attempt: number): void {
    const lost = () => {
      if (attempt !== this.#attempt) return;
      this.#become({ state: 'lost', address });
      this.#retry = setTimeout(() => void this.connect({ start: 'never' }), RETRY_MS);
    };
    this.#events = devRequest(address, { path: PAGE_PATHS.events });
    this.#events.on('response', (answer) => {
      answer.once('close', lost);
      if (answer.statusCode !== 200) return answer.destroy();
      this.#become({ state: 'connected', address });
      // Each event is one line of JSON. Errors are ignored here: `close` of the response handles them.
      const lines = createInterface(answer).on('error', () => {});
      lines.on('line', (line) => {
        if (!line.startsWith('data: ') || attempt !== this.#attempt) return;
        const event = jsonLine<PageEvent>(line.slice('data: '.length));
        if (event) this.#happened.fire(event);
      });
    });
    this.#events.on('error', lost).end();
  }

  #become(status: DevStatus): void {
    if (status.state === this.#status.state && status.address?.url === this.#status.address?.url) return;
    this.#status = status;
    this.#changed.fire(status);
  }
}

/** Compares URIs in VS Code's form: the language server and VS Code escape different characters, such as brackets. */
function isSame(uri: string, other: string): boolean {
  return vscode.Uri.parse(uri).toString() === vscode.Uri.parse(other).toString();
}
