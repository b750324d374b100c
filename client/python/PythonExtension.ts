/** Interpreters from Microsoft's Python extension, if it is installed. */
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
  /** Fires when the extension is active, and when another interpreter was selected. */
  readonly onDidChange = this.#changed.event;
  readonly #log: (text: string) => void;
  #api: PythonApi['environments'] | null = null;
  #selection: vscode.Disposable | null = null;

  constructor(log: (text: string) => void) {
    this.#log = log;
  }

  /** Activates the extension, if it is installed. */
  async activate(): Promise<void> {
    if (this.#api) return;
    try {
      const api = await vscode.extensions.getExtension<PythonApi>(ID)?.activate();
      if (!api?.environments) return;
      this.#api = api.environments;
      this.#selection = api.environments.onDidChangeActiveEnvironmentPath(() => this.#changed.fire());
      this.#changed.fire();
    } catch (error) {
      this.#log(`The Python extension could not be activated: ${String(error)}`);
    }
  }

  /** The interpreter selected for a folder; null if unknown. */
  async selected(resource: vscode.Uri): Promise<string | null> {
    const api = this.#api;
    if (!api) return null;
    try {
      const environment = await api.resolveEnvironment(api.getActiveEnvironmentPath(resource));
      return environment?.executable.uri?.fsPath ?? null;
    } catch (error) {
      this.#log(`The Python extension could not resolve the selected interpreter: ${String(error)}`);
      return null;
    }
  }

  /** All interpreters that the extension has found. */
  get known(): string[] {
    return (this.#api?.known ?? []).flatMap(({ executable }) => executable.uri?.fsPath ?? []);
  }

  dispose(): void {
    this.#selection?.dispose();
    this.#changed.dispose();
  }
}
