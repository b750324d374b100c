/**
 * Which interpreter a project works with: the setting's, else the one that is selected in the Python extension, else a
 * virtual environment of the project, else the first on PATH. Starts none to find out.
 */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { environmentsIn, interpreterIn, interpretersOnPath } from './interpreters.ts';
import { PythonExtension } from './PythonExtension.ts';

export interface ChosenPython {
  /** Of the interpreter. */
  path: string;
  source: 'setting' | 'extension' | 'project' | 'path';
}

export class PythonEnvironments implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** When a project may have another interpreter than before, or its packages may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #extension: PythonExtension;
  readonly #subscriptions: vscode.Disposable[];
  /** Of ours, and under way. */
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

  /** Asks the Python extension too from now on; in a workspace that is not trusted, once it is. */
  async connect(): Promise<void> {
    if (vscode.workspace.isTrusted) await this.#extension.activate();
  }

  /** The interpreter of a project; null when there is none. */
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

  /** Variables by which commands get a project's interpreter. On PATH they find one themselves, of the version they need. */
  async variables(root: string | null): Promise<Record<string, string>> {
    const python = root === null ? null : await this.of(root);
    return python === null || python.source === 'path' ? {} : { TOOLKIT_PYTHON: python.path };
  }

  /** All interpreters that a user may choose from for a project, each once. */
  async all(root: string): Promise<string[]> {
    const chosen = await this.of(root);
    const own = await environmentsIn(root);
    const found = [...(chosen ? [chosen.path] : []), ...own, ...this.#extension.known];
    return [...new Set([...found, ...(await interpretersOnPath())])];
  }

  /** Uses an interpreter for a project from now on: its setting. */
  async choose(root: string, python: string): Promise<void> {
    const uri = vscode.Uri.file(root);
    const target = vscode.workspace.getWorkspaceFolder(uri)
      ? vscode.ConfigurationTarget.WorkspaceFolder
      : vscode.ConfigurationTarget.Global;
    const relative = path.relative(root, python);
    const value = relative.startsWith('..') || path.isAbsolute(relative) ? python : relative;
    await vscode.workspace.getConfiguration('toolkit', uri).update('python', value, target);
  }

  /** Does something that changes interpreters or their packages, of which only the end is reported. */
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

/** An interpreter, the folder of a virtual environment, or a name on PATH; null when the setting is empty. */
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

/** A virtual environment's interpreter for its folder, else the path itself. */
async function inside(place: string): Promise<string> {
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return (isFolder ? await interpreterIn(place) : null) ?? place;
}
