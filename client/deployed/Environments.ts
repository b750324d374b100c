/** Which environment each project's commands are about: the one that was selected, else the project's own. */
import * as vscode from 'vscode';

const KEY = 'environments';

export class Environments implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<string>();
  /** With the URI of the project's root. */
  readonly onDidChange = this.#changed.event;

  /** @param state - Of the workspace. */
  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** @returns Null for the project's own: TOOLKIT_ENV, else `production`. */
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
