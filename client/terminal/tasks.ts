/** Tasks of type `toolkit`: the commands that people bind to keys or run before others, for each folder that is a project. */
import * as vscode from 'vscode';
import { isProject } from '../hasProject.ts';
import type { CliShim } from './CliShim.ts';

const TYPE = 'toolkit';
const COMMANDS = ['check', 'build', 'deploy', 'dev'];
/** Of package.json. Deploy and dev run functions, whose tracebacks lead to their lines. */
const MATCHERS = ['$toolkit-check', '$toolkit-traceback', '$toolkit-traceback-marked'];

interface Definition extends vscode.TaskDefinition {
  command: string;
  args?: string[];
}

/** Offers the tasks, and completes those that tasks.json names. */
export function provideTasks(shim: CliShim): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(TYPE, {
    async provideTasks() {
      await shim.ready;
      const folders = vscode.workspace.workspaceFolders ?? [];
      const projects = await Promise.all(folders.map(({ uri }) => isProject(uri)));
      return folders
        .filter((_, index) => projects[index])
        .flatMap((folder) => COMMANDS.map((command) => taskOf({ type: TYPE, command }, folder, shim)));
    },
    async resolveTask({ definition, scope }) {
      await shim.ready;
      return taskOf(definition as Definition, scope ?? vscode.TaskScope.Workspace, shim);
    },
  });
}

function taskOf(
  definition: Definition,
  scope: vscode.WorkspaceFolder | vscode.TaskScope,
  { file }: CliShim,
): vscode.Task {
  const { command, args = [] } = definition;
  const task = new vscode.Task(
    definition,
    scope,
    [command, ...args].join(' '),
    TYPE,
    new vscode.ShellExecution({ value: file, quoting: vscode.ShellQuoting.Strong }, [command, ...args]),
    MATCHERS,
  );
  if (command === 'build') task.group = vscode.TaskGroup.Build;
  task.isBackground = command === 'dev';
  task.presentationOptions = { panel: vscode.TaskPanelKind.Dedicated };
  return task;
}
