/** The language status items of Python files: the state of the language server, and the selected Python. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServerStatus } from '../../runtime/contract/editorMessages.ts';
import type { ProjectRoots } from '../projects/ProjectRoots.ts';
import { environmentOf, versionOf } from '../python/interpreters.ts';
import type { PythonEnvironments } from '../python/PythonEnvironments.ts';

const SELECTOR: vscode.DocumentSelector = [
  { scheme: 'file', language: 'python' },
  { scheme: 'file', pattern: '**/pyproject.toml' },
];

export class LanguageStatus implements vscode.Disposable {
  readonly #server: vscode.LanguageStatusItem;
  readonly #python: vscode.LanguageStatusItem;
  readonly #roots: ProjectRoots;
  readonly #environments: PythonEnvironments;
  readonly #subscriptions: vscode.Disposable[];
  /** Version by interpreter, cached until an interpreter changes. */
  readonly #versions = new Map<string, Promise<string | null>>();
  /** Number of the latest update. Results of earlier ones are ignored. */
  #look = 0;

  constructor(roots: ProjectRoots, environments: PythonEnvironments, onStatus: vscode.Event<ServerStatus>) {
    this.#roots = roots;
    this.#environments = environments;
    this.#server = vscode.languages.createLanguageStatusItem('toolkit.server', SELECTOR);
    this.#server.name = vscode.l10n.t('Endpoint Language Server');
    this.#server.command = { command: 'toolkit.restartServer', title: vscode.l10n.t('Restart') };
    this.#python = vscode.languages.createLanguageStatusItem('toolkit.python', SELECTOR);
    this.#python.name = vscode.l10n.t('Python for Endpoints');
    this.#python.command = { command: 'toolkit.selectPython', title: vscode.l10n.t('Select') };
    const draw = () => void this.#drawPython();
    this.#subscriptions = [
      this.#server,
      this.#python,
      onStatus((status) => this.#drawServer(status)),
      environments.onDidChange(() => {
        this.#versions.clear();
        draw();
      }),
      roots.onDidChange(draw),
      vscode.window.onDidChangeActiveTextEditor(draw),
      vscode.workspace.onDidGrantWorkspaceTrust(draw),
    ];
    this.#drawServer({ health: 'ok', activity: 'quiet', message: null });
    draw();
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  #drawServer({ health, activity, message }: ServerStatus): void {
    const { Error, Information, Warning } = vscode.LanguageStatusSeverity;
    this.#server.severity = { ok: Information, warning: Warning, error: Error }[health];
    this.#server.busy = activity === 'indexing';
    this.#server.text =
      activity === 'indexing' ? vscode.l10n.t('Endpoints: reading files') : vscode.l10n.t('Endpoints');
    this.#server.detail = message ?? vscode.l10n.t('Language server');
  }

  async #drawPython(): Promise<void> {
    const look = ++this.#look;
    const root = this.#roots.current?.path;
    const python = root === undefined ? null : await this.#environments.of(root);
    const environment = python && (await environmentOf(python.path));
    const version = python && root !== undefined ? await this.#versionOf(python.path, root) : null;
    if (look !== this.#look) return;
    const named = environment ? ` (${path.basename(environment)})` : '';
    this.#python.text = python
      ? `${vscode.l10n.t('Python {0}', version ?? '')}${named}`
      : vscode.l10n.t('No Python found');
    this.#python.detail = python?.path ?? '';
    this.#python.severity = python
      ? vscode.LanguageStatusSeverity.Information
      : vscode.LanguageStatusSeverity.Warning;
  }

  /** Null in an untrusted workspace: its settings can name any program, so nothing is started. */
  async #versionOf(python: string, root: string): Promise<string | null> {
    if (!vscode.workspace.isTrusted) return null;
    const version = this.#versions.get(python) ?? versionOf(python, root);
    this.#versions.set(python, version);
    return version;
  }
}
