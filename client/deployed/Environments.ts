/** The environment that each project's commands use: the selected one, else the project's default. */
import * as vscode from 'vscode';

const KEY = 'environments';

export class Environments implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<string>();
  /** Fires with the URI of the project's root. */
  readonly onDidChange = this.#changed.event;

  /** @param state - The workspace state. */
  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** @returns Null for the project's default: TOOLKIT_ENV, else `production`. */
  selected(root: string): string | null {
    return this.#all[root] ?? null;
  }

  async select(root: string, environment: string): Promise<void> {
    await this.#state.update(KEY, { ...this.#all, [root]: environment });
    this.#changed.fire(root);
  }

  get #all(): Record<string, string> {
    return this.#state.get(KEY, {});
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
