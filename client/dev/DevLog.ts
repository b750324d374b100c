/** Writes the events of each dev server to its own output channel. */
import * as vscode from 'vscode';
import type { LogChannels } from '../logs/LogChannels.ts';
import type { ProjectRoots } from '../projects/ProjectRoots.ts';
import type { DevServers } from './DevServers.ts';
import { eventLines } from './eventLines.ts';

export class DevLog implements vscode.Disposable {
  readonly #roots: ProjectRoots;
  readonly #channels: LogChannels;
  readonly #byRoot = new Map<string, vscode.OutputChannel>();
  readonly #subscriptions: vscode.Disposable;

  constructor(servers: DevServers, roots: ProjectRoots, channels: LogChannels) {
    this.#roots = roots;
    this.#channels = channels;
    this.#subscriptions = vscode.Disposable.from(
      servers.onMessage(({ root, message }) => this.#append(root, eventLines(message))),
      servers.onNote(({ root, note }) => this.#append(root, [note])),
    );
  }

  /** Shows the log of a root without moving the focus. */
  show(root: string): void {
    this.#channel(root).show(true);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #append(root: string, lines: readonly string[]): void {
    for (const line of lines) this.#channel(root).appendLine(line);
  }

  #channel(root: string): vscode.OutputChannel {
    let channel = this.#byRoot.get(root);
    if (!channel) {
      const app = this.#roots.at(root)?.app ?? vscode.workspace.asRelativePath(root);
      channel = this.#channels.open(`Toolkit Dev: ${app}`, root);
      this.#byRoot.set(root, channel);
    }
    return channel;
  }
}
