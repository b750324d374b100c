/** Commands for projects and endpoints, by command id. The argument of a command determines its target. */
import * as vscode from 'vscode';
import { KEY_VARIABLES } from '../../runtime/contract/curlCommand.ts';
import { EDITOR_COMMANDS } from '../../runtime/contract/editorMessages.ts';
import { LIVE_PREFIX } from '../../runtime/contract/names.ts';
import { signIn, signOut } from '../account/signIn.ts';
import { build } from '../deploy/build.ts';
import { deploy } from '../deploy/deploy.ts';
import { chooseEnvironment } from '../deploy/selectEnvironment.ts';
import { undeploy } from '../deploy/undeploy.ts';
import type { DevServers } from '../dev/DevServers.ts';
import { chooseFilter } from '../explorer/chooseFilter.ts';
import type { ExplorerView } from '../explorer/ExplorerView.ts';
import type { LanguageServer } from '../LanguageServer.ts';
import type { EndpointLogs } from '../logs/EndpointLogs.ts';
import { chooseProject } from '../projects/chooseProject.ts';
import { newProject } from '../projects/newProject.ts';
import type { Services } from '../Services.ts';
import { entryAddress, targetAddress } from './addressOf.ts';
import { curlOf } from './curlOf.ts';
import { reportIssue } from './reportIssue.ts';
import { revealDeclaration } from './revealDeclaration.ts';
import { type Argument, targetOf } from './targetOf.ts';

/** What commands need in addition to the services. */
export interface CommandSurroundings {
  server: LanguageServer;
  dev: DevServers;
  explorer: ExplorerView;
  logs: EndpointLogs;
  extension: vscode.Extension<unknown>;
}

export function endpointCommands(
  services: Services,
  around: CommandSurroundings,
): Record<string, (argument?: Argument) => unknown> {
  const { projects, deployments, environments, log, showError, keys } = services;
  const { server, dev, explorer, logs, extension } = around;

  const project = (argument: Argument) =>
    chooseProject(projects, argument && 'root' in argument ? argument : undefined);

  /** The target of a lens, an entry or the cursor. Shows a message if there is none. */
  const target = async (argument: Argument) => {
    const found = await targetOf(argument, { projects, server });
    if (!found)
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Place the cursor in an endpoint, or choose one in the Endpoints view.'),
      );
    return found;
  };

  /** The URL of a lens, else that of the deployed endpoint or route. */
  const address = async (argument: Argument) => {
    if (argument && 'type' in argument) return entryAddress(argument);
    const found = await target(argument);
    return found ? (found.url ?? targetAddress(deployments, found)) : null;
  };

  const showNotRunning = () =>
    vscode.window.showInformationMessage(
      vscode.l10n.t('It has no URL yet. Deploy it, or start the dev server.'),
    );

  const commands: Record<string, (argument: Argument) => unknown> = {
    [EDITOR_COMMANDS.deploy]: async (argument) => {
      const chosen = await project(argument);
      if (chosen) await deploy(services, chosen);
    },
    'toolkit.deployTo': async (argument) => {
      const chosen = await project(argument);
      if (!chosen) return;
      const title = vscode.l10n.t('Deploy {0} to…', chosen.app);
      const environment = await chooseEnvironment(services, chosen, title);
      if (environment !== undefined) await deploy(services, chosen, environment);
    },
    'toolkit.build': async (argument) => {
      const chosen = await project(argument);
      if (chosen) await build(services, chosen);
    },
    'toolkit.undeploy': async (argument) => {
      const chosen = await project(argument);
      const remote = argument && 'type' in argument && 'remote' in argument ? argument.remote : undefined;
      if (chosen) await undeploy(services, chosen, remote ? [remote.name] : null);
    },
    'toolkit.selectEnvironment': async (argument) => {
      const chosen = await project(argument);
      if (!chosen) return;
      const title = vscode.l10n.t('Environment of {0}', chosen.app);
      const environment = await chooseEnvironment(services, chosen, title);
      if (environment !== undefined) await environments.select(chosen.root, environment);
    },
    [EDITOR_COMMANDS.logs]: async (argument) => {
      if (argument && 'type' in argument && argument.type === 'undeclared') {
        showLogs(argument.root, argument.remote.name);
        return;
      }
      const found = await target(argument);
      if (found?.endpoint) showLogs(found.root, found.endpoint);
    },
    [EDITOR_COMMANDS.openUrl]: async (argument) => {
      const url = await address(argument);
      if (url === null) return showNotRunning();
      await vscode.env.openExternal(await vscode.env.asExternalUri(vscode.Uri.parse(url)));
    },
    'toolkit.copyUrl': async (argument) => {
      const url = await address(argument);
      if (url === null) return showNotRunning();
      await vscode.env.clipboard.writeText(url);
      vscode.window.setStatusBarMessage(vscode.l10n.t('$(check) Copied {0}', url), 4_000);
    },
    [EDITOR_COMMANDS.copyAsCurl]: async (argument) => {
      const found = await target(argument);
      if (!found) return;
      const remote = targetAddress(deployments, found);
      const url = found.url ?? remote;
      if (url === null) return showNotRunning();
      const ofDev = dev.running(vscode.Uri.parse(found.root).fsPath)?.token ? KEY_VARIABLES.dev : null;
      const key = url === remote ? KEY_VARIABLES.platform : ofDev;
      await vscode.env.clipboard.writeText(curlOf(found, url, key));
      vscode.window.setStatusBarMessage(vscode.l10n.t('$(check) Copied as curl'), 4_000);
    },
    'toolkit.revealDeclaration': async (argument) => {
      if (argument && 'type' in argument) await revealDeclaration(server, argument);
    },
    'toolkit.filterEndpoints': () => chooseFilter(explorer),
    'toolkit.refreshEndpoints': () => deployments.refreshAll(),
    'toolkit.newProject': () => newProject(services),
    'toolkit.signIn': async () => {
      await signIn(services);
      await deployments.refreshAll();
    },
    'toolkit.signOut': async () => {
      await signOut(keys);
      await deployments.refreshAll();
    },
    'toolkit.restartServer': () => server.restart(),
    'toolkit.showLog': () => log.show(),
    'toolkit.reportIssue': () => reportIssue(extension),
    'toolkit.openWalkthrough': () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#start`),
  };

  /** Shows the logs of the deployed endpoint; if it is not deployed, those of the dev server's endpoint. */
  function showLogs(root: string, endpoint: string): void {
    const { deployed } = deployments.of(root);
    // Deployments of a stopped platform are unknown, and without a platform no dev server can run.
    const isAsleep = deployed?.platform === null;
    const isDeployed = isAsleep || (deployed?.endpoints.some(({ name }) => name === endpoint) ?? false);
    const place = isDeployed ? `${deployed!.app}/${deployed!.environment}` : vscode.l10n.t('dev');
    logs.show(isDeployed ? endpoint : `${LIVE_PREFIX}${endpoint}`, place, {
      project: vscode.Uri.parse(root).fsPath,
      environment: environments.selected(root),
    });
  }

  return Object.fromEntries(
    Object.entries(commands).map(([id, run]) => [
      id,
      async (argument?: Argument) => {
        try {
          return await run(argument);
        } catch (error) {
          return await showError(error);
        }
      },
    ]),
  );
}
