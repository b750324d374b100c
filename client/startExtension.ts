/** Composes everything that a window needs once it has endpoints, or a command or view is used. */
import * as vscode from 'vscode';
import { Keys } from './account/Keys.ts';
import { endpointCommands } from './commands/endpointCommands.ts';
import { Core } from './core/Core.ts';
import { coreSurroundings } from './core/coreSurroundings.ts';
import { Deployments } from './deployed/Deployments.ts';
import { Environments } from './deployed/Environments.ts';
import { reportDeployed } from './deployed/reportDeployed.ts';
import { DevLog } from './dev/DevLog.ts';
import { DevServers } from './dev/DevServers.ts';
import { DevCommands } from './dev/devCommands.ts';
import { ExplorerView } from './explorer/ExplorerView.ts';
import { followCursor } from './explorer/followCursor.ts';
import type { LazyTree } from './explorer/LazyTree.ts';
import { LanguageServer } from './LanguageServer.ts';
import { EndpointLogs } from './logs/EndpointLogs.ts';
import { LogChannels } from './logs/LogChannels.ts';
import { showErrorWith } from './messages/showError.ts';
import { ProjectRoots } from './projects/ProjectRoots.ts';
import { ProjectTree } from './projects/ProjectTree.ts';
import { PythonEnvironments } from './python/PythonEnvironments.ts';
import { PythonCommands } from './python/pythonCommands.ts';
import { SdkNotice } from './python/SdkNotice.ts';
import { devAccess } from './request/DevAccess.ts';
import { RequestPanels } from './request/RequestPanels.ts';
import { runCommand } from './request/runCommand.ts';
import type { Services } from './Services.ts';
import { setContexts } from './setContexts.ts';
import { LanguageStatus } from './status/LanguageStatus.ts';
import { StatusBar } from './status/StatusBar.ts';
import type { CliShim } from './terminal/CliShim.ts';
import { openCliTerminal } from './terminal/openCliTerminal.ts';

/** The parts that the entry delegates to. */
export interface StartedExtension {
  server: LanguageServer;
  explorer: ExplorerView;
  panels: RequestPanels;
  /** Every command of package.json by its id. */
  commands: Record<string, (argument?: never) => unknown>;
}

export function startExtension(
  context: vscode.ExtensionContext,
  tree: LazyTree,
  shim: CliShim,
  log: vscode.LogOutputChannel,
): StartedExtension {
  const { subscriptions, workspaceState, secrets, extension, extensionUri } = context;
  const report = (text: string) => log.error(text);
  const showError = showErrorWith(log);

  const keys = new Keys(secrets);
  const python = new PythonEnvironments(report);
  const surroundings = coreSurroundings(keys, python);
  const core = new Core(context.asAbsolutePath('dist/cli.js'), surroundings, report);
  const server = new LanguageServer(context, python, log);
  const projects = new ProjectTree();
  const roots = new ProjectRoots(projects);
  const environments = new Environments(workspaceState);
  const deployments = new Deployments(core, projects, environments);
  const dev = new DevServers({ context, roots, core, surroundings, environments, log: report });
  const services: Services = {
    core,
    projects,
    environments,
    deployments,
    deploying: new Set(),
    keys,
    log,
    showError,
  };

  const explorer = new ExplorerView(tree, projects, deployments);
  const channels = new LogChannels();
  const logs = new EndpointLogs(core, showError, channels);
  const devLog = new DevLog(dev, roots, channels);
  const statusBar = new StatusBar(roots, dev, deployments);
  const devCommands = new DevCommands(dev, roots, devLog, showError);
  const devServers = devAccess(devCommands, dev);
  const panels = new RequestPanels({ devServers, extensionUri, memento: workspaceState });

  const owned = [core, server, python, projects, environments, deployments, dev];
  subscriptions.push(...owned, explorer, logs, devLog, channels, statusBar, panels);
  subscriptions.push(
    server.onTree((change) => projects.apply(change)),
    server.onStarted(() => python.connect()),
    new LanguageStatus(roots, python, server.onStatus),
    new SdkNotice(python, roots, workspaceState),
    followCursor(explorer, server),
    setContexts(projects, deployments),
    reportDeployed(server, projects, deployments, dev),
  );
  const commands = {
    ...endpointCommands(services, { server, dev, explorer, logs, extension }),
    ...runCommand({ services, server, panels }),
    ...devCommands.handlers,
    ...new PythonCommands(python, roots, core, showError).handlers,
    'toolkit.showActions': () => statusBar.showActions(),
    'toolkit.openCliTerminal': () => openCliTerminal(shim),
  };
  return { server, explorer, panels, commands };
}
