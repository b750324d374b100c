/** Puts the bundled command on PATH, only in integrated terminals. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { batchShim, shellShim } from './shims.ts';

export class CliShim {
  /** The script that starts the command. */
  readonly file: string;
  /** Resolves once the files are written. If that fails, the reason is logged. */
  readonly ready: Promise<void>;

  /** Starts writing the files without waiting for them: most windows need no terminal. */
  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    const folder = vscode.Uri.joinPath(context.globalStorageUri, 'bin').fsPath;
    const program = { runtime: process.execPath, script: context.asAbsolutePath('dist/cli.js') };
    const [shell, batch] = [path.join(folder, 'toolkit'), path.join(folder, 'toolkit.cmd')];
    this.file = process.platform === 'win32' ? batch : shell;
    this.ready = Promise.all([keep(shell, shellShim(program)), keep(batch, batchShim(program))]).then(
      () => {},
      (error: unknown) => log.error(`The command "toolkit" cannot be written to ${folder}: ${String(error)}`),
    );
    const variables = context.environmentVariableCollection;
    variables.description = vscode.l10n.t('Makes the command "toolkit" available.');
    // A login shell replaces PATH; shell integration then prepends the folder again.
    variables.prepend('PATH', folder + path.delimiter, {
      applyAtProcessCreation: true,
      applyAtShellIntegration: true,
    });
  }
}

/** Replaces the file atomically, and only if it differs: another window may be running it. */
async function keep(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return;
  await mkdir(path.dirname(file), { recursive: true });
  const made = `${file}.${randomUUID()}`;
  await writeFile(made, text, { mode: 0o755 });
  await rename(made, file);
}
