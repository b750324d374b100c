/** What Microsoft's Python extension knows of interpreters, where it is installed. */
import * as vscode from 'vscode';

const ID = 'ms-python.python';

/** The part of its documented API (`@vscode/python-extension`) that is used here. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string } | string): Promise<Environment | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
    known?: readonly Environment[];
  };
}

interface Environment {
  executable: { uri: vscode.Uri | undefined };
}

export class PythonExtension implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** When it is there, and when another interpreter was selected. */
  readonly onDidChange = this.#changed.event;
  readonly #log: (text: string) => void;
  #api: PythonApi['environments'] | null = null;
  #selection: vscode.Disposable | null = null;

  constructor(log: (text: string) => void) {
    this.#log = log;
  }

  /** Waits for it where it is installed. Without it, nothing happens. */
  async activate(): Promise<void> {
    if (this.#api) return;
    try {
      const api = await vscode.extensions.getExtension<PythonApi>(ID)?.activate();
      if (!api?.environments) return;
      this.#api = api.environments;
      this.#selection = api.environments.onDidChangeActiveEnvironmentPath(() => this.#changed.fire());
      this.#changed.fire();
    } catch (error) {
      this.#log(`The Python extension does not start: ${String(error)}`);
    }
  }

  /** The interpreter that is selected for a folder; null while none is known. */
  async selected(resource: vscode.Uri): Promise<string | null> {
    const api = this.#api;
    if (!api) return null;
    try {
      const environment = await api.resolveEnvironment(api.getActiveEnvironmentPath(resource));
      return environment?.executable.uri?.fsPath ?? null;
    } catch (error) {
      this.#log(`The Python extension does not say which interpreter is selected: ${String(error)}`);
      return null;
    }
  }

  /** All interpreters that it has found. */
  get known(): string[] {
    return (this.#api?.known ?? []).flatMap(({ executable }) => executable.uri?.fsPath ?? []);
  }

  dispose(): void {
    this.#selection?.dispose();
    this.#changed.dispose();
  }
}
