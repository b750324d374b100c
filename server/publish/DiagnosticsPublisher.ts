/** Sends the diagnostics of a file to the client, only if they differ from what it has. */
import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver';

const NONE = '[]';

export class DiagnosticsPublisher {
  /** Number of notifications sent. */
  sent = 0;
  readonly #send: (params: PublishDiagnosticsParams) => void;
  /** URI → diagnostics by owner: a file can move from one project to another. */
  readonly #found = new Map<string, Map<object, Diagnostic[]>>();
  /** URI → what the client has, as JSON. */
  readonly #known = new Map<string, string>();

  constructor(send: (params: PublishDiagnosticsParams) => void) {
    this.#send = send;
  }

  /** Publishes an owner's diagnostics of a file; `version` is that of its open text. */
  publish(owner: object, uri: string, diagnostics: Diagnostic[], version?: number): void {
    const all = this.#together(owner, uri, diagnostics);
    const text = JSON.stringify(all);
    if ((this.#known.get(uri) ?? NONE) === text) return;
    if (text === NONE) this.#known.delete(uri);
    else this.#known.set(uri, text);
    this.sent += 1;
    this.#send(version === undefined ? { uri, diagnostics: all } : { uri, version, diagnostics: all });
  }

  #together(owner: object, uri: string, diagnostics: Diagnostic[]): Diagnostic[] {
    const found = this.#found.get(uri) ?? new Map<object, Diagnostic[]>();
    if (diagnostics.length > 0) found.set(owner, diagnostics);
    else found.delete(owner);
    if (found.size > 0) this.#found.set(uri, found);
    else this.#found.delete(uri);
    return [...found.values()].flat();
  }
}
