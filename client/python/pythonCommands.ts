/** The commands for Python: select an interpreter, create a virtual environment, install toolkit_sdk. */
import path from 'node:path';
import * as vscode from 'vscode';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import type { Core } from '../core/Core.ts';
import type { ShowError } from '../messages/showError.ts';
import { withProgress } from '../messages/withProgress.ts';
import type { ProjectRoots } from '../projects/ProjectRoots.ts';
import { createEnvironment, ENVIRONMENT } from './createEnvironment.ts';
import { environmentOf, interpretersOnPath, isSupported, OLDEST, versionOf } from './interpreters.ts';
import type { PythonEnvironments } from './PythonEnvironments.ts';
import { selectPython } from './selectPython.ts';

const DOWNLOADS = 'https://www.python.org/downloads/';

export class PythonCommands {
  readonly #environments: PythonEnvironments;
  readonly #roots: ProjectRoots;
  readonly #core: Core;
  readonly #showError: ShowError;

  constructor(environments: PythonEnvironments, roots: ProjectRoots, core: Core, showError: ShowError) {
    this.#environments = environments;
    this.#roots = roots;
    this.#core = core;
    this.#showError = showError;
  }

  /** Handlers by command. The argument can identify a project; otherwise the user is asked. */
  get handlers(): Record<string, (argument?: unknown) => Promise<unknown>> {
    const on = (act: (root: string) => unknown) => async (argument?: unknown) => {
      const chosen = (await this.#roots.choose(argument))?.path;
      if (chosen) await act(chosen);
    };
    return {
      'toolkit.selectPython': on((root) => this.#select(root)),
      'toolkit.installSdk': on((root) => this.#install(root)),
    };
  }

  async #select(root: string): Promise<void> {
    const chosen = await selectPython(root, this.#environments);
    if (chosen === 'create') await this.#createAndInstall(root);
    else if (chosen) await this.#environments.choose(root, chosen.python);
  }

  async #install(root: string): Promise<void> {
    const python = await this.#usable(root);
    if (python === null) return;
    try {
      await this.#pip(root, python);
    } catch (error) {
      await this.#installRefused(root, python, error);
    }
  }

  /** Offers a virtual environment if pip fails: a system's Python often rejects packages (PEP 668) or has no pip. */
  async #installRefused(root: string, python: string, error: unknown): Promise<void> {
    const isRefused = error instanceof ToolkitError && error.code === 'INSTALLER_MISSING';
    if (!isRefused || (await environmentOf(python)) !== null)
      return this.#fail(vscode.l10n.t('toolkit_sdk was not installed'), error, root, () =>
        this.#install(root),
      );
    const create = vscode.l10n.t('Create {0} and Install', ENVIRONMENT);
    const select = vscode.l10n.t('Select Python');
    const text = vscode.l10n.t('toolkit_sdk was not installed: {0}', error.message);
    const chosen = await vscode.window.showWarningMessage(text, create, select);
    if (chosen === create) await this.#createAndInstall(root);
    if (chosen === select) await this.#select(root);
  }

  async #createAndInstall(root: string): Promise<void> {
    const python = (await this.#newEnough(root)) ?? (await this.#usable(root));
    if (python === null) return;
    try {
      const title = vscode.l10n.t('Creating {0} with {1}', ENVIRONMENT, python);
      await this.#environments.change(async () => {
        const made = await withProgress(title, (signal) => createEnvironment(root, python, signal));
        const now = await this.#environments.of(root);
        if (now?.path !== made) await this.#environments.choose(root, made);
        await this.#pip(root, made);
      });
    } catch (error) {
      const what = vscode.l10n.t('{0} was not created', ENVIRONMENT);
      this.#fail(what, error, root, () => this.#createAndInstall(root));
    }
  }

  async #pip(root: string, python: string): Promise<void> {
    const title = vscode.l10n.t('Installing toolkit_sdk');
    const { version } = await this.#environments.change(() =>
      withProgress(title, (signal) =>
        this.#core.call('sdk install', { project: root, flags: { python }, signal }),
      ),
    );
    const where = path.relative(root, (await environmentOf(python)) ?? python);
    const shown = where.startsWith('..') ? python : where;
    void vscode.window.showInformationMessage(
      vscode.l10n.t('toolkit_sdk {0} is installed for {1}.', version, shown),
    );
  }

  /** An interpreter for creating a virtual environment: the project's, else one on PATH. */
  async #newEnough(root: string): Promise<string | null> {
    const chosen = await this.#environments.of(root);
    for (const python of [...(chosen ? [chosen.path] : []), ...(await interpretersOnPath())]) {
      const version = await versionOf(python, root);
      if (version !== null && isSupported(version)) return python;
    }
    return null;
  }

  /** The project's interpreter; null, after showing a message, if packages cannot be installed for it. */
  async #usable(root: string): Promise<string | null> {
    const chosen = await this.#environments.of(root);
    const select = vscode.l10n.t('Select Python');
    if (chosen === null) {
      const download = vscode.l10n.t('Download Python');
      const text = vscode.l10n.t('No Python was found. Install Python {0} or newer.', OLDEST);
      const answer = await vscode.window.showErrorMessage(text, download, select);
      if (answer === download) await vscode.env.openExternal(vscode.Uri.parse(DOWNLOADS));
      if (answer === select) await this.#select(root);
      return null;
    }
    const version = await versionOf(chosen.path, root);
    if (version !== null && isSupported(version)) return chosen.path;
    const text =
      version === null
        ? vscode.l10n.t('{0} is not a Python interpreter.', chosen.path)
        : vscode.l10n.t(
            '{0} is Python {1}. toolkit_sdk needs Python {2} or newer.',
            chosen.path,
            version,
            OLDEST,
          );
    if ((await vscode.window.showErrorMessage(text, select)) === select) await this.#select(root);
    return null;
  }

  #fail(what: string, error: unknown, root: string, retry: () => unknown): void {
    void this.#showError(error, { what, root, retry });
  }
}
