/** `toolkit.run`: opens the request panel, from lenses, the explorer and the palette. Loaded when it is first used. */
import * as vscode from 'vscode';
import { EDITOR_COMMANDS } from '../../runtime/contract/editorMessages.ts';
import type { PanelState } from '../../runtime/contract/panelMessages.ts';
import { type Argument, targetOf } from '../commands/targetOf.ts';
import type { LanguageServer } from '../LanguageServer.ts';
import { chooseProject } from '../projects/chooseProject.ts';
import type { Services } from '../Services.ts';
import type { DevOrigins } from './DevOrigins.ts';
import { PANEL_TYPE } from './panelHtml.ts';
import type { RequestPanels, RunTarget } from './RequestPanels.ts';

interface RunSurroundings {
  services: Pick<Services, 'projects' | 'showError'>;
  server: LanguageServer;
  devServers: DevOrigins;
}

export function registerRun(
  context: vscode.ExtensionContext,
  { services: { projects, showError }, server, devServers }: RunSurroundings,
): vscode.Disposable {
  let loading: Promise<RequestPanels> | null = null;
  const panels = () => (loading ??= load(context, devServers));

  /** What a lens or an entry names or the cursor is in, else a project, whose panel lists its routes. */
  const chosen = async (argument: Argument): Promise<RunTarget | undefined> =>
    (await targetOf(argument, { projects, server })) ??
    (await chooseProject(projects, argument && 'root' in argument ? argument : undefined));

  return vscode.Disposable.from(
    vscode.commands.registerCommand(EDITOR_COMMANDS.run, async (argument: Argument) => {
      try {
        const target = await chosen(argument);
        if (target) await (await panels()).open(target);
      } catch (error) {
        await showError(error);
      }
    }),
    vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
      async deserializeWebviewPanel(panel, state: PanelState | undefined) {
        await (await panels()).restore(panel, state);
      },
    }),
  );
}

async function load(context: vscode.ExtensionContext, devServers: DevOrigins): Promise<RequestPanels> {
  const { RequestPanels } = await import('./RequestPanels.ts');
  const { extensionUri, workspaceState: memento } = context;
  const panels = new RequestPanels({ devServers, extensionUri, memento });
  context.subscriptions.push(panels);
  return panels;
}
