/** The status bar item: app and environment of the current project, and its dev server. A click lists the actions. */
import * as vscode from 'vscode';
import type { Deployments } from '../deployed/Deployments.ts';
import type { DevServers } from '../dev/DevServers.ts';
import { plain } from '../messages/plain.ts';
import type { ProjectRoots, Root } from '../projects/ProjectRoots.ts';

interface Action {
  command: string;
  label: string;
  icon: string;
}

export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #roots: ProjectRoots;
  readonly #servers: DevServers;
  readonly #deployments: Deployments;
  readonly #subscriptions: vscode.Disposable[];

  constructor(roots: ProjectRoots, servers: DevServers, deployments: Deployments) {
    this.#roots = roots;
    this.#servers = servers;
    this.#deployments = deployments;
    this.#item = vscode.window.createStatusBarItem('toolkit.status', vscode.StatusBarAlignment.Left, 10);
    this.#item.name = vscode.l10n.t('Serverless Endpoint Toolkit');
    this.#item.command = 'toolkit.showActions';
    const draw = () => this.#draw();
    this.#subscriptions = [
      this.#item,
      roots.onDidChange(draw),
      servers.onDidChange(draw),
      vscode.window.onDidChangeActiveTextEditor(draw),
      deployments.onDidChange(draw),
    ];
    draw();
  }

  /** Lists the actions for the current project. */
  async showActions(): Promise<void> {
    const root = this.#roots.current;
    if (!root) return;
    const items = this.#actions(root).map(({ icon, label, command }) => ({
      label: `$(${icon}) ${label}`,
      command,
    }));
    const placeHolder = this.#placeOf(root);
    const chosen = await vscode.window.showQuickPick(items, { placeHolder });
    if (chosen) await vscode.commands.executeCommand(chosen.command, { root: root.uri.toString() });
  }

  /** `shop/production`; only the app while the environment is unknown. */
  #placeOf({ uri, app }: Root): string {
    const { deployed } = this.#deployments.of(uri.toString());
    return deployed ? `${deployed.app}/${deployed.environment}` : app;
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  #draw(): void {
    const root = this.#roots.current;
    if (!root) return this.#item.hide();
    const running = this.#servers.running(root.path);
    const place = this.#placeOf(root);
    const port = running && new URL(running.url).port;
    this.#item.text = `$(rocket) ${place}${port ? ` $(debug-start) dev :${port}` : ''}`;
    const spoken = running
      ? vscode.l10n.t('{0}, dev server at {1}', place, running.url)
      : vscode.l10n.t('{0}, dev server not running', place);
    this.#item.accessibilityInformation = { label: spoken };
    this.#item.tooltip = this.#tooltip(root, place);
    this.#item.show();
  }

  #tooltip(root: Root, place: string): vscode.MarkdownString {
    const running = this.#servers.running(root.path);
    const actions = devActions(running?.startedHere ?? null);
    const text = new vscode.MarkdownString('', true);
    text.isTrusted = { enabledCommands: actions.map(({ command }) => command) };
    const state = running
      ? `$(debug-start) ${vscode.l10n.t('Dev server at {0}', `<${running.url}>`)}`
      : `$(circle-outline) ${vscode.l10n.t('Dev server not running')}`;
    const argument = encodeURIComponent(JSON.stringify([{ root: root.uri.toString() }]));
    const links = actions.map(
      ({ icon, label, command }) => `[$(${icon}) ${label}](command:${command}?${argument})`,
    );
    text.appendMarkdown(`$(rocket) **${plain(place)}**\n\n${state}\n\n${links.join('  \n')}`);
    return text;
  }

  #actions({ path }: Root): Action[] {
    const running = this.#servers.running(path);
    return [
      ...devActions(running?.startedHere ?? null),
      { command: 'toolkit.deploy', label: vscode.l10n.t('Deploy'), icon: 'cloud-upload' },
      { command: 'toolkit.selectEnvironment', label: vscode.l10n.t('Select Environment'), icon: 'layers' },
      { command: 'toolkit.selectPython', label: vscode.l10n.t('Select Python'), icon: 'snake' },
    ];
  }
}

/** @param startedHere - Null if no dev server runs. */
function devActions(startedHere: boolean | null): Action[] {
  const { t } = vscode.l10n;
  const explorer = { command: 'toolkit.openApiExplorer', label: t('Open API Explorer'), icon: 'globe' };
  const log = { command: 'toolkit.showDevLog', label: t('Show Dev Log'), icon: 'output' };
  if (startedHere === null)
    return [{ command: 'toolkit.startDev', label: t('Start Dev Server'), icon: 'debug-start' }];
  if (!startedHere) return [explorer, log];
  return [
    explorer,
    log,
    { command: 'toolkit.restartDev', label: t('Restart Dev Server'), icon: 'debug-restart' },
    { command: 'toolkit.stopDev', label: t('Stop Dev Server'), icon: 'debug-stop' },
  ];
}
