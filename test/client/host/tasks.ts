/** Tasks of type `toolkit`, and the problems that VS Code reads from their output. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually, it } from './suite.ts';

const folder = vscode.workspace.workspaceFolders![0]!.uri;
const problemsOf = (file: string) =>
  vscode.languages
    .getDiagnostics(vscode.Uri.joinPath(folder, file))
    .map(({ range, severity, source, message }) => [
      range.start.line,
      vscode.DiagnosticSeverity[severity],
      source,
      message,
    ]);

/** Starts a task of tasks.json. */
async function startTask(name: string): Promise<vscode.TaskExecution> {
  const task = (await vscode.tasks.fetchTasks()).find((one) => one.name === name);
  return await vscode.tasks.executeTask(task!);
}

/** Runs a task of tasks.json and waits for its end. */
async function runTask(name: string): Promise<number | undefined> {
  const ended = new Promise<number | undefined>((resolve) => {
    const listener = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name !== name) return;
      listener.dispose();
      resolve(exitCode);
    });
  });
  await startTask(name);
  return await ended;
}

// The folder does not use the toolkit yet, so no language server finds the same mistake.
it('adds the findings of the task `check` to the problems', async () => {
  // VS Code stops reading 100 ms after a task's end, so on a busy machine a run can miss some output.
  for (let run = 0; run < 3 && problemsOf('bad.py').length < 2; run++) {
    const code = await runTask('check --no-color');
    if (code !== 1) throw new Error(`it ended with ${code}`);
  }
  await eventually(
    () => problemsOf('bad.py').map((problem) => problem.slice(0, 3)),
    [
      [2, 'Error', 'toolkit'],
      [3, 'Information', 'toolkit'],
    ],
  );
});

it('leads from a traceback to its line', async () => {
  const running = await startTask('traceback');
  await eventually(
    () => problemsOf('plain.py'),
    [[12, 'Error', 'Python', 'ZeroDivisionError: division by zero']],
  );
  // VS Code shows the problems of one file when it finds one in the next, and the rest at the end of the
  // task.
  running.terminate();
  await eventually(() => problemsOf('marked.py'), [[3, 'Error', 'Python', 'shop.Sold: "one" is gone']]);
});

it('offers no tasks in a folder that is not a project, and every command in one that is', async () => {
  const offered = async () =>
    (await vscode.tasks.fetchTasks({ type: 'toolkit' }))
      .map(({ name, group }) => [name, group?.id ?? null])
      .toSorted();
  await eventually(offered, [['check --no-color', null]]);
  writeFileSync(path.join(folder.fsPath, 'pyproject.toml'), '[tool.toolkit]\napp = "x"\n');
  await eventually(offered, [
    ['build', 'build'],
    ['check --no-color', null],
    ['check', null],
    ['deploy', null],
    ['dev', null],
  ]);
});
