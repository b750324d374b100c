/** Composes the extension. A window without endpoints starts nothing. */
import * as vscode from 'vscode';
import { Keys } from './account/Keys.ts';
import { registerCommands } from './commands/registerCommands.ts';
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
import { LanguageServer } from './LanguageServer.ts';
import { EndpointLogs } from './logs/EndpointLogs.ts';
import { showErrorWith } from './messages/showError.ts';
import { ProjectRoots } from './projects/ProjectRoots.ts';
import { ProjectTree } from './projects/ProjectTree.ts';
import { PythonEnvironments } from './python/PythonEnvironments.ts';
import { PythonCommands } from './python/pythonCommands.ts';
import { SdkNotice } from './python/SdkNotice.ts';
import { devOrigins } from './request/DevOrigins.ts';
import { registerRun } from './request/registerRun.ts';
import type { Services } from './Services.ts';
import { setContexts } from './setContexts.ts';
import { startWhereNeeded } from './startWhereNeeded.ts';
import { LanguageStatus } from './status/LanguageStatus.ts';
import { StatusBar } from './status/StatusBar.ts';
import { CliShim } from './terminal/CliShim.ts';
import { openCliTerminal } from './terminal/openCliTerminal.ts';
import { provideTasks } from './terminal/tasks.ts';

export function activate(context: vscode.ExtensionContext): void {
  const { subscriptions, workspaceState, secrets, extension } = context;
  const log = vscode.window.createOutputChannel('Serverless Endpoint Toolkit', { log: true });
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
  const services: Services = { core, projects, environments, deployments, keys, log, showError };

  const explorer = new ExplorerView(projects, deployments);
  const logs = new EndpointLogs(core, showError);
  const devLog = new DevLog(dev, roots);
  const statusBar = new StatusBar(roots, dev, deployments);
  const shim = new CliShim(context, log);

  const devCommands = new DevCommands(dev, roots, devLog, showError);
  const commands = {
    ...devCommands.handlers,
    ...new PythonCommands(python, roots, core, showError).handlers,
    'toolkit.showActions': () => statusBar.showActions(),
    'toolkit.openCliTerminal': () => openCliTerminal(shim),
  };

  const owned = [log, core, server, python, projects, environments, deployments, dev];
  subscriptions.push(...owned, explorer, logs, devLog, statusBar);
  subscriptions.push(
    server.onTree((tree) => projects.apply(tree)),
    server.onStarted(() => python.connect()),
    new LanguageStatus(roots, python, server.onStatus),
    new SdkNotice(python, roots, workspaceState),
    followCursor(explorer, server),
    setContexts(projects, deployments),
    reportDeployed(server, projects, deployments, dev),
    registerCommands(services, { server, explorer, logs, extension }),
    registerRun(context, { services, server, devServers: devOrigins(devCommands, dev) }),
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
    provideTasks(shim),
    vscode.languages.setLanguageConfiguration('toolkitignore', { comments: { lineComment: '#' } }),
    startWhereNeeded(server),
  );
}
