/** Output channels for the logs of projects. Tracebacks in them link to the source. */
import * as vscode from 'vscode';
import { tracebackLinks } from './tracebackLinks.ts';

/** Language of the channels' documents. */
const LANGUAGE = 'toolkit-log';

/** In tracebacks: a worker runs the project from the folder of an unpacked part, whose name is a hash. */
const PART = /(File ")[^"]*[/\\]parts[/\\][0-9a-f]{64}[/\\]/g;

/** Replaces the worker's paths in tracebacks with the project's own. */
export function projectPaths(text: string): string {
  return text.replace(PART, '$1');
}

export class LogChannels implements vscode.Disposable {
  /** Channel → path of its project's root. */
  readonly #roots = new Map<vscode.OutputChannel, string>();
  readonly #links: vscode.Disposable;

  constructor() {
    this.#links = vscode.languages.registerDocumentLinkProvider(
      { scheme: 'output', language: LANGUAGE },
      { provideDocumentLinks: (document) => tracebackLinks(document, this.#rootOf(document)) },
    );
  }

  /** @param name - Shown in the list of channels. If another project uses it too, the root is appended. */
  open(name: string, root: string): vscode.OutputChannel {
    const isTaken = [...this.#roots.keys()].some((one) => one.name === name);
    const channel = vscode.window.createOutputChannel(isTaken ? `${name} (${root})` : name, LANGUAGE);
    this.#roots.set(channel, root);
    return channel;
  }

  dispose(): void {
    this.#links.dispose();
    for (const channel of this.#roots.keys()) channel.dispose();
  }

  /** Finds the channel by its name, with which the URI ends. The longest match wins: a name can end with another. */
  #rootOf({ uri }: vscode.TextDocument): string | null {
    const found = [...this.#roots].filter(([{ name }]) => uri.path.endsWith(name));
    const [channel] = found.toSorted(([a], [b]) => b.name.length - a.name.length);
    return channel?.[1] ?? null;
  }
}
