/** Shows once that a project's interpreter lacks toolkit_sdk, and keeps the related context keys up to date. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ProjectRoots } from '../projects/ProjectRoots.ts';
import { environmentOf, hasSdk } from './interpreters.ts';
import type { PythonEnvironments } from './PythonEnvironments.ts';

/** Workspace state: the interpreters that the user was already asked about. */
const ASKED = 'toolkit.sdkAsked';

export class SdkNotice implements vscode.Disposable {
  readonly #environments: PythonEnvironments;
  readonly #roots: ProjectRoots;
  readonly #asked: vscode.Memento;
  readonly #subscriptions: vscode.Disposable[];
  /** Number of the latest update. Results of earlier ones are ignored. */
  #look = 0;

  constructor(environments: PythonEnvironments, roots: ProjectRoots, asked: vscode.Memento) {
    this.#environments = environments;
    this.#roots = roots;
    this.#asked = asked;
    const look = () => void this.#update();
    this.#subscriptions = [
      environments.onDidChange(look),
      roots.onDidChange(look),
      vscode.workspace.onDidGrantWorkspaceTrust(look),
    ];
    look();
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  async #update(): Promise<void> {
    const look = ++this.#look;
    if (!vscode.workspace.isTrusted) return;
    const declaring = this.#roots.all.filter(({ endpoints }) => endpoints > 0).map((root) => root.path);
    const pythons = await Promise.all(declaring.map((root) => this.#environments.of(root)));
    const found = await Promise.all(
      pythons.map((python, index) => python && hasSdk(python.path, declaring[index]!)),
    );
    if (look !== this.#look) return;
    setContext('toolkit.needsPython', pythons.includes(null));
    setContext('toolkit.sdkMissing', found.includes(false));
    const at = found.indexOf(false);
    if (at >= 0) await this.#notify(declaring[at]!, pythons[at]!.path);
  }

  async #notify(root: string, python: string): Promise<void> {
    const asked = this.#asked.get<string[]>(ASKED, []);
    if (asked.includes(python)) return;
    await this.#asked.update(ASKED, [...asked, python]);
    const [install, select] = [vscode.l10n.t('Install'), vscode.l10n.t('Select Python')];
    const where = path.relative(root, (await environmentOf(python)) ?? python);
    const text = vscode.l10n.t(
      'toolkit_sdk is not installed for {0}.',
      where.startsWith('..') ? python : where,
    );
    const chosen = await vscode.window.showInformationMessage(text, install, select);
    const project = { root: vscode.Uri.file(root).toString() };
    if (chosen === install) await vscode.commands.executeCommand('toolkit.installSdk', project);
    if (chosen === select) await vscode.commands.executeCommand('toolkit.selectPython', project);
  }
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
