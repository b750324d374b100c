/** Diagnostics by file → what the client is sent: only what differs from what it has. */
import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver';

const NONE = '[]';

export class DiagnosticsPublisher {
  /** How many notifications were sent. */
  sent = 0;
  readonly #send: (params: PublishDiagnosticsParams) => void;
  /** URI → what the client has, as JSON. */
  readonly #known = new Map<string, string>();

  constructor(send: (params: PublishDiagnosticsParams) => void) {
    this.#send = send;
  }

  /** Tells the diagnostics of a file; `version` is that of its open text. */
  publish(uri: string, diagnostics: Diagnostic[], version?: number): void {
    const text = JSON.stringify(diagnostics);
    if ((this.#known.get(uri) ?? NONE) === text) return;
    if (text === NONE) this.#known.delete(uri);
    else this.#known.set(uri, text);
    this.sent += 1;
    this.#send(version === undefined ? { uri, diagnostics } : { uri, version, diagnostics });
  }

  /** URIs for which the client has some. */
  get told(): Iterable<string> {
    return this.#known.keys();
  }
}
