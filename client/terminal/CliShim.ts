/** Puts the bundled command on PATH in integrated terminals, and nowhere else. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { batchShim, shellShim } from './shims.ts';

export class CliShim {
  /** What starts the command. */
  readonly file: string;
  /** Settles once the files are there; when they cannot be written, the log says why. */
  readonly ready: Promise<void>;

  /** Begins to write the files, and does not wait for them: most windows need no terminal. */
  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    const folder = vscode.Uri.joinPath(context.globalStorageUri, 'bin').fsPath;
    const program = { runtime: process.execPath, script: context.asAbsolutePath('dist/cli.js') };
    const [shell, batch] = [path.join(folder, 'toolkit'), path.join(folder, 'toolkit.cmd')];
    this.file = process.platform === 'win32' ? batch : shell;
    this.ready = Promise.all([keep(shell, shellShim(program)), keep(batch, batchShim(program))]).then(
      () => {},
      (error: unknown) => log.error(`The command "toolkit" cannot be put into ${folder}: ${String(error)}`),
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

/** Another window may run the file at this moment: it is replaced as a whole, and only when it differs. */
async function keep(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return;
  await mkdir(path.dirname(file), { recursive: true });
  const made = `${file}.${randomUUID()}`;
  await writeFile(made, text, { mode: 0o755 });
  await rename(made, file);
}
