/** What the dev servers report, each in an output channel of its own, with links to the places that tracebacks name. */
import * as vscode from 'vscode';
import type { ProjectRoots } from '../projects/ProjectRoots.ts';
import type { DevServers } from './DevServers.ts';
import { eventLines } from './eventLines.ts';
import { tracebackLinks } from './tracebackLinks.ts';

/** Language of the channels' documents. */
const LANGUAGE = 'toolkit-dev-log';

export class DevLog implements vscode.Disposable {
  readonly #roots: ProjectRoots;
  /** By root. */
  readonly #channels = new Map<string, vscode.OutputChannel>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(servers: DevServers, roots: ProjectRoots) {
    this.#roots = roots;
    this.#subscriptions = [
      servers.onMessage(({ root, message }) => this.#append(root, eventLines(message))),
      servers.onNote(({ root, note }) => this.#append(root, [note])),
      vscode.languages.registerDocumentLinkProvider(
        { scheme: 'output', language: LANGUAGE },
        { provideDocumentLinks: (document) => tracebackLinks(document, this.#rootOf(document)) },
      ),
    ];
  }

  /** Shows the log of a root, and leaves the focus where it is. */
  show(root: string): void {
    this.#channel(root).show(true);
  }

  dispose(): void {
    for (const one of [...this.#subscriptions, ...this.#channels.values()]) one.dispose();
  }

  #append(root: string, lines: readonly string[]): void {
    for (const line of lines) this.#channel(root).appendLine(line);
  }

  #channel(root: string): vscode.OutputChannel {
    let channel = this.#channels.get(root);
    if (!channel) {
      const sameName = (one: string) => [...this.#channels.values()].some(({ name }) => name === one);
      const app = this.#roots.at(root)?.app ?? vscode.workspace.asRelativePath(root);
      const name = `Toolkit Dev: ${app}`;
      channel = vscode.window.createOutputChannel(sameName(name) ? `${name} (${root})` : name, LANGUAGE);
      this.#channels.set(root, channel);
    }
    return channel;
  }

  /** The address of a channel's document ends with the channel's name. */
  #rootOf({ uri }: vscode.TextDocument): string | null {
    const found = [...this.#channels].find(([, { name }]) => uri.path.endsWith(name));
    return found?.[0] ?? null;
  }
}
