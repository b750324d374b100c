/** Composes the extension. What a window without endpoints never needs is loaded or started when it is first used. */
import * as vscode from 'vscode';
import { Keys } from './account/Keys.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { Core } from './core/Core.ts';
import { coreSurroundings } from './core/coreSurroundings.ts';
import { Deployments } from './deployed/Deployments.ts';
import { Environments } from './deployed/Environments.ts';
import { ExplorerView } from './explorer/ExplorerView.ts';
import { followCursor } from './explorer/followCursor.ts';
import { LanguageServer } from './LanguageServer.ts';
import { EndpointLogs } from './logs/EndpointLogs.ts';
import { showErrorWith } from './messages/showError.ts';
import { ProjectTree } from './projects/ProjectTree.ts';
import type { Services } from './Services.ts';
import { setContexts } from './setContexts.ts';
import { startWhereNeeded } from './startWhereNeeded.ts';
import { CliShim } from './terminal/CliShim.ts';
import { openCliTerminal } from './terminal/openCliTerminal.ts';
import { provideTasks } from './terminal/tasks.ts';

export function activate(context: vscode.ExtensionContext): void {
  const { subscriptions, workspaceState, secrets, extension } = context;
  const log = vscode.window.createOutputChannel('Serverless Endpoint Toolkit', { log: true });
  const showError = showErrorWith(log);
  const keys = new Keys(secrets);
  const core = new Core(context.asAbsolutePath('dist/cli.js'), coreSurroundings(keys), (text) =>
    log.warn(text),
  );
  const server = new LanguageServer(context, log);
  const projects = new ProjectTree();
  const environments = new Environments(workspaceState);
  const deployments = new Deployments(core, projects, environments);
  const explorer = new ExplorerView(projects, deployments);
  const logs = new EndpointLogs(core, showError);
  const shim = new CliShim(context, log);
  const services: Services = { core, projects, environments, deployments, keys, log, showError };
  subscriptions.push(
    log,
    core,
    server,
    projects,
    environments,
    deployments,
    explorer,
    logs,
    server.onTree((tree) => projects.apply(tree)),
    followCursor(explorer, server),
    setContexts(projects, deployments),
    registerCommands(services, { server, explorer, logs, extension }),
    vscode.commands.registerCommand('toolkit.openCliTerminal', () => openCliTerminal(shim)),
    provideTasks(shim),
    vscode.languages.setLanguageConfiguration('toolkitignore', { comments: { lineComment: '#' } }),
    startWhereNeeded(server),
  );
}
