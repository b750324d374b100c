/** The commands for dev servers, and the search for the one that requests go to. */
import * as vscode from 'vscode';
import { PAGE_PATHS } from '../../runtime/contract/requestPage.ts';
import type { ShowError } from '../messages/showError.ts';
import { withProgress } from '../messages/withProgress.ts';
import type { ProjectRoots, Root } from '../projects/ProjectRoots.ts';
import type { DevLog } from './DevLog.ts';
import type { RunningDev } from './DevServer.ts';
import type { DevServers } from './DevServers.ts';

/** Whether to start a dev server if none runs. */
export type StartDev = 'never' | 'ask' | 'now';

export interface FindOptions {
  /** `ask`: start it if the user agrees. `now`: the user has requested it. */
  start: StartDev;
  /** Called if none runs: with `stopped` while the user is asked, with `starting` when it is started. */
  onState?: (state: 'stopped' | 'starting') => void;
}

type AutoStart = 'ask' | 'always' | 'never';

export class DevCommands {
  readonly #servers: DevServers;
  readonly #roots: ProjectRoots;
  readonly #log: DevLog;
  readonly #showError: ShowError;

  constructor(servers: DevServers, roots: ProjectRoots, log: DevLog, showError: ShowError) {
    this.#showError = showError;
    this.#servers = servers;
    this.#roots = roots;
    this.#log = log;
  }

  /** Handlers by command. The argument can identify a project; otherwise the user is asked. */
  get handlers(): Record<string, (argument?: unknown) => Promise<unknown>> {
    const on = (act: (root: Root) => unknown) => async (argument?: unknown) => {
      const chosen = await this.#roots.choose(argument);
      if (chosen) await act(chosen);
    };
    return {
      'toolkit.startDev': on((root) => this.#startAndSay(root)),
      'toolkit.stopDev': on((root) => this.#stop(root)),
      'toolkit.restartDev': on((root) => this.#restart(root)),
      'toolkit.openApiExplorer': on((root) => this.#openExplorer(root)),
      'toolkit.showDevLog': on((root) => this.#log.show(root.path)),
    };
  }

  /**
   * The dev server of a root.
   *
   * @returns Null if none runs: the user declined, or it could not be started, for which an error was shown.
   */
  async find(path: string, { start, onState }: FindOptions): Promise<RunningDev | null> {
    const running = await this.#servers.find(path);
    const root = this.#roots.at(path);
    if (running || start === 'never' || !root) return running;
    if (start === 'ask') {
      // The question disappears after some seconds and may never be answered.
      onState?.('stopped');
      if (!(await mayStart(root.app))) return null;
    }
    onState?.('starting');
    return this.#start(root);
  }

  /** Null if it was cancelled or could not be started, for which an error was shown. */
  async #start(root: Root, port: number | null = null): Promise<RunningDev | null> {
    const { path, app } = root;
    const title = vscode.l10n.t('Starting the dev server of {0}', app);
    try {
      return await withProgress(title, (signal) => this.#servers.start(path, signal, port));
    } catch (error) {
      const what = vscode.l10n.t('The dev server of {0} did not start', app);
      // Not awaited: the message stays until the user closes it.
      void this.#showError(error, { what, root: path, retry: () => this.#start(root, port) });
      return null;
    }
  }

  async #startAndSay(root: Root): Promise<void> {
    const found = await this.#servers.find(root.path);
    const running = found ?? (await this.#start(root));
    if (!running) return;
    const [explorer, log] = [vscode.l10n.t('Open API Explorer'), vscode.l10n.t('Show Log')];
    const text = found
      ? vscode.l10n.t('The dev server of {0} is already running at {1}.', root.app, running.url)
      : this.#readyText(root, running);
    const chosen = await vscode.window.showInformationMessage(text, explorer, log);
    if (chosen === explorer) await this.#openExplorer(root);
    if (chosen === log) this.#log.show(root.path);
  }

  #readyText({ app, uri }: Root, { url }: RunningDev): string {
    const wanted = vscode.workspace.getConfiguration('toolkit', uri).get('dev.port', 8888);
    const ready = vscode.l10n.t('The dev server of {0} is ready at {1}.', app, url);
    if (new URL(url).port === String(wanted)) return ready;
    return `${ready} ${vscode.l10n.t('Port {0} is in use.', wanted)}`;
  }

  /** @returns Whether it was stopped. */
  async #stop({ path, app }: Root): Promise<boolean> {
    const running = await this.#servers.find(path);
    if (!running) {
      void vscode.window.showInformationMessage(vscode.l10n.t('The dev server of {0} is not running.', app));
      return false;
    }
    if (!running.startedHere) {
      const text = vscode.l10n.t(
        'The dev server of {0} was started in a terminal. Press Ctrl+C there to stop it.',
        app,
      );
      void vscode.window.showInformationMessage(text);
      return false;
    }
    const title = vscode.l10n.t('Stopping the dev server of {0}', app);
    const location = vscode.ProgressLocation.Notification;
    await vscode.window.withProgress({ location, title }, () => this.#servers.stop(path));
    return true;
  }

  /** Restarts on the same port, so that open pages keep working. */
  async #restart(root: Root): Promise<void> {
    const running = await this.#servers.find(root.path);
    if (!running) await this.#startAndSay(root);
    else if (await this.#stop(root)) await this.#start(root, Number(new URL(running.url).port));
  }

  async #openExplorer(root: Root): Promise<void> {
    if (!((await this.#servers.find(root.path)) ?? (await this.#start(root)))) return;
    const uri = await this.#servers.externalUri(root.path, PAGE_PATHS.page);
    if (uri) await vscode.env.openExternal(uri);
  }
}

/** Asks the user, unless the settings decide. */
async function mayStart(app: string): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration('toolkit');
  const auto = settings.get<AutoStart>('dev.autoStart', 'ask');
  if (auto !== 'ask') return auto === 'always';
  const [start, always, later] = [
    vscode.l10n.t('Start'),
    vscode.l10n.t('Always Start'),
    vscode.l10n.t('Not Now'),
  ];
  const question = vscode.l10n.t('Start the dev server of {0}?', app);
  const chosen = await vscode.window.showInformationMessage(question, start, always, later);
  if (chosen === always) await settings.update('dev.autoStart', 'always', vscode.ConfigurationTarget.Global);
  return chosen === start || chosen === always;
}
