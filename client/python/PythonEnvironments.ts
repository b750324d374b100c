/**
 * The interpreter of a project: from the setting, else the one selected in the Python extension, else a virtual
 * environment of the project, else the first on PATH. Finds it without starting any.
 */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { environmentsIn, interpreterIn, interpretersOnPath } from './interpreters.ts';
import { PythonExtension } from './PythonExtension.ts';

export interface ChosenPython {
  /** Path of the interpreter. */
  path: string;
  source: 'setting' | 'extension' | 'project' | 'path';
}

export class PythonEnvironments implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a project's interpreter, or its packages, may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #extension: PythonExtension;
  readonly #subscriptions: vscode.Disposable[];
  /** Running calls of `change`. */
  #changes = 0;

  constructor(log: (text: string) => void) {
    this.#extension = new PythonExtension(log);
    const configs = vscode.workspace.createFileSystemWatcher('**/{.venv,venv}/pyvenv.cfg');
    const changed = () => {
      if (this.#changes === 0) this.#changed.fire();
    };
    this.#subscriptions = [
      this.#extension,
      this.#extension.onDidChange(changed),
      configs,
      configs.onDidCreate(changed),
      configs.onDidDelete(changed),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('toolkit.python')) changed();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.connect()),
    ];
  }

  /** Starts using the Python extension; in an untrusted workspace, once it is trusted. */
  async connect(): Promise<void> {
    if (vscode.workspace.isTrusted) await this.#extension.activate();
  }

  /** The interpreter of a project; null if there is none. */
  async of(root: string): Promise<ChosenPython | null> {
    const named = await namedBySettings(root);
    if (named) return { path: named, source: 'setting' };
    const selected = await this.#extension.selected(vscode.Uri.file(root));
    if (selected) return { path: selected, source: 'extension' };
    const [own] = await environmentsIn(root);
    if (own) return { path: own, source: 'project' };
    const [found] = await interpretersOnPath();
    return found ? { path: found, source: 'path' } : null;
  }

  /**
   * Variables that pass a project's interpreter to commands. Empty for one on PATH: commands search PATH themselves, for
   * the version that they need.
   */
  async variables(root: string | null): Promise<Record<string, string>> {
    const python = root === null ? null : await this.of(root);
    return python === null || python.source === 'path' ? {} : { TOOLKIT_PYTHON: python.path };
  }

  /** All interpreters that a user can choose for a project, each once. */
  async all(root: string): Promise<string[]> {
    const chosen = await this.of(root);
    const own = await environmentsIn(root);
    const found = [...(chosen ? [chosen.path] : []), ...own, ...this.#extension.known];
    return [...new Set([...found, ...(await interpretersOnPath())])];
  }

  /** Selects an interpreter for a project, in its settings. */
  async choose(root: string, python: string): Promise<void> {
    const uri = vscode.Uri.file(root);
    const target = vscode.workspace.getWorkspaceFolder(uri)
      ? vscode.ConfigurationTarget.WorkspaceFolder
      : vscode.ConfigurationTarget.Global;
    const relative = path.relative(root, python);
    const value = relative.startsWith('..') || path.isAbsolute(relative) ? python : relative;
    await vscode.workspace.getConfiguration('toolkit', uri).update('python', value, target);
  }

  /** Runs work that changes interpreters or their packages. Fires `onDidChange` only at its end. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    this.#changes += 1;
    try {
      return await work();
    } finally {
      this.#changes -= 1;
      if (this.#changes === 0) this.#changed.fire();
    }
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
    this.#changed.dispose();
  }
}

/** The interpreter from the setting: a path, a virtual environment's folder, or a name on PATH. Null if it is empty. */
async function namedBySettings(root: string): Promise<string | null> {
  const uri = vscode.Uri.file(root);
  const setting = vscode.workspace.getConfiguration('toolkit', uri).get<unknown>('python');
  if (typeof setting !== 'string' || setting.trim() === '') return null;
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? root;
  const text = setting
    .trim()
    .replaceAll('${workspaceFolder}', folder)
    .replace(/^~(?=[/\\]|$)/, homedir());
  if (!/[/\\]/.test(text) && !text.startsWith('.')) {
    const found = (await interpretersOnPath()).find((file) => path.parse(file).name === text);
    return found ?? (await inside(path.join(root, text))) ?? text;
  }
  return inside(path.resolve(root, text));
}

/** The interpreter inside a virtual environment's folder; any other path unchanged. */
async function inside(place: string): Promise<string> {
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return (isFolder ? await interpreterIn(place) : null) ?? place;
}
