/** The command `toolkit` in integrated terminals. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually, it } from './suite.ts';

const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const extension = vscode.extensions.getExtension('serverless-endpoint-toolkit.serverless-endpoint-toolkit')!;
const version = (extension.packageJSON as { version: string }).version;

/** Types a line whose command writes to the file `name`, and waits until the file is as long as expected. */
async function typed(terminal: vscode.Terminal, name: string, line: string, expected: string): Promise<void> {
  terminal.sendText(line);
  await eventually(() => textOf(name), expected);
  terminal.dispose();
}

function textOf(name: string): string | null {
  try {
    return readFileSync(path.join(folder, name), 'utf8');
  } catch {
    return null;
  }
}

it('is available in a terminal that opens in the project', async () => {
  await vscode.commands.executeCommand('toolkit.openCliTerminal');
  const terminal = vscode.window.terminals.find(({ name }) => name === 'toolkit')!;
  await typed(
    terminal,
    'out.txt',
    'toolkit --version >out.txt; toolkit list --json | grep -q \'"name":"one"\' && echo listed >>out.txt',
    `${version}\nlisted\n`,
  );
});

it('is available in every other terminal, and requires no Node on PATH', async () => {
  await extension.activate();
  const terminal = vscode.window.createTerminal({
    shellPath: '/bin/sh',
    cwd: folder,
    env: { PATH: '/nonexistent' },
  });
  await typed(
    terminal,
    'bare.txt',
    '{ command -v node || echo none; toolkit --version; } >bare.txt',
    `none\n${version}\n`,
  );
});
