/** Tasks of type `toolkit`, for each folder that is a project: commands to bind to keys or to run before other tasks. */
import * as vscode from 'vscode';
import { isProject } from '../hasProject.ts';
import type { CliShim } from './CliShim.ts';

const TYPE = 'toolkit';
const COMMANDS = ['check', 'build', 'deploy', 'dev'];
/** Problem matchers from package.json: deploy and dev run functions, whose tracebacks become links. */
const TRACEBACKS = ['$toolkit-traceback', '$toolkit-traceback-marked'];
/** Only for folders where no language server lists the same findings. */
const FINDINGS = '$toolkit-check';

interface Definition extends vscode.TaskDefinition {
  command: string;
  args?: string[];
}

/** Offers the tasks, and completes those in tasks.json. */
export function provideTasks(shim: CliShim): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(TYPE, {
    async provideTasks() {
      await shim.ready;
      const folders = vscode.workspace.workspaceFolders ?? [];
      const projects = await Promise.all(folders.map(({ uri }) => isProject(uri)));
      return folders
        .filter((_, index) => projects[index])
        .flatMap((folder) =>
          COMMANDS.map((command) => taskOf({ type: TYPE, command }, folder, shim, TRACEBACKS)),
        );
    },
    async resolveTask({ definition, scope = vscode.TaskScope.Workspace }) {
      await shim.ready;
      const isServed = typeof scope === 'object' && (await isProject(scope.uri));
      const matchers = isServed ? TRACEBACKS : [FINDINGS, ...TRACEBACKS];
      return taskOf(definition as Definition, scope, shim, matchers);
    },
  });
}

/** Quotes a value so that the shell treats it as one word. */
function quoted(value: string): vscode.ShellQuotedString {
  return { value, quoting: vscode.ShellQuoting.Strong };
}

function taskOf(
  definition: Definition,
  scope: vscode.WorkspaceFolder | vscode.TaskScope,
  { file }: CliShim,
  matchers: string[],
): vscode.Task {
  const { command, args = [] } = definition;
  const task = new vscode.Task(
    definition,
    scope,
    [command, ...args].join(' '),
    TYPE,
    new vscode.ShellExecution(quoted(file), [command, ...args.map(quoted)]),
    matchers,
  );
  if (command === 'build') task.group = vscode.TaskGroup.Build;
  task.isBackground = command === 'dev';
  task.presentationOptions = { panel: vscode.TaskPanelKind.Dedicated };
  return task;
}
