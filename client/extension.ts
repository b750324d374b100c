/**
 * The entry: registers what VS Code looks up by name, and loads everything else when a window has endpoints, or a
 * command or view is used. Other windows load only this.
 */
import * as vscode from 'vscode';
import type { PanelState } from '../runtime/contract/panelMessages.ts';
import { requireTrust } from './commands/requireTrust.ts';
import { LazyTree } from './explorer/LazyTree.ts';
import { hasPython } from './hasProject.ts';
import { PANEL_TYPE } from './request/panelHtml.ts';
import type { StartedExtension } from './startExtension.ts';
import { startWhereNeeded } from './startWhereNeeded.ts';
import { CliShim } from './terminal/CliShim.ts';
import { provideTasks } from './terminal/tasks.ts';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Serverless Endpoint Toolkit', { log: true });
  const shim = new CliShim(context, log);
  let starting: Promise<StartedExtension> | null = null;
  const started = () => (starting ??= load());
  const tree = new LazyTree(async () => {
    const { explorer } = await started();
    // A project can be in a subfolder, and a user who opens the view wants to see it too.
    void hasPython().then((has) => (has ? startServer() : undefined));
    return explorer;
  });

  async function startServer(): Promise<void> {
    await (await started()).server.start();
  }

  async function load(): Promise<StartedExtension> {
    const { startExtension } = await import('./startExtension.ts');
    return startExtension(context, tree, shim, log);
  }

  const { contributes } = context.extension.packageJSON as {
    contributes: { commands: { command: string; enablement?: string }[] };
  };
  context.subscriptions.push(
    log,
    tree,
    ...contributes.commands.map(({ command, enablement }) =>
      vscode.commands.registerCommand(
        command,
        requireTrust(enablement, async (argument: never) => (await started()).commands[command]!(argument)),
      ),
    ),
    vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
      deserializeWebviewPanel: async (panel, state: PanelState | undefined) =>
        (await started()).panels.restore(panel, state),
    }),
    provideTasks(shim),
    vscode.languages.setLanguageConfiguration('toolkitignore', { comments: { lineComment: '#' } }),
    startWhereNeeded(startServer),
  );
}
