/** Output channels of logs about projects, with links to the places that tracebacks in them name. */
import * as vscode from 'vscode';
import { tracebackLinks } from './tracebackLinks.ts';

/** Language of the channels' documents. */
const LANGUAGE = 'toolkit-log';

/** In tracebacks: a worker runs the project from the folder of an unpacked part, which is named by a hash. */
const PART = /(File ")[^"]*[/\\]parts[/\\][0-9a-f]{64}[/\\]/g;

/** A worker's text with the project's own paths in its tracebacks. */
export function projectPaths(text: string): string {
  return text.replace(PART, '$1');
}

export class LogChannels implements vscode.Disposable {
  /** Channel → path of the project's root that it is about. */
  readonly #roots = new Map<vscode.OutputChannel, string>();
  readonly #links: vscode.Disposable;

  constructor() {
    this.#links = vscode.languages.registerDocumentLinkProvider(
      { scheme: 'output', language: LANGUAGE },
      { provideDocumentLinks: (document) => tracebackLinks(document, this.#rootOf(document)) },
    );
  }

  /** @param name - Shown in the list of channels; where another project's has it, the root is added. */
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

  /** The address of a channel's document ends with the channel's name, which may end with the name of another one. */
  #rootOf({ uri }: vscode.TextDocument): string | null {
    const found = [...this.#roots].filter(([{ name }]) => uri.path.endsWith(name));
    const [channel] = found.toSorted(([a], [b]) => b.name.length - a.name.length);
    return channel?.[1] ?? null;
  }
}
