/** Creates a project's virtual environment. Leaves nothing behind if that fails. */
import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import { interpreterIn, versionOf } from './interpreters.ts';

/** Name of the folder. */
export const ENVIRONMENT = '.venv';

/**
 * Creates `.venv` in a project.
 *
 * @returns Path of its interpreter.
 * @throws ToolkitError INSTALLER_MISSING, FILES_EXIST
 */
export async function createEnvironment(root: string, python: string, signal: AbortSignal): Promise<string> {
  const folder = path.join(root, ENVIRONMENT);
  const existing = await interpreterIn(folder);
  if (existing) return existing;
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new ToolkitError(
      'FILES_EXIST',
      vscode.l10n.t('{0} exists and is not a virtual environment.', folder),
      { hint: vscode.l10n.t('Move or rename it.') },
    );
  const { failed, output } = await runVenv(python, folder, signal);
  const made = failed ? null : await interpreterIn(folder);
  if (made) return made;
  await rm(folder, { recursive: true, force: true });
  if (signal.aborted) throw new ToolkitError('INTERRUPTED', vscode.l10n.t('Cancelled.'));
  throw await explained(python, root, output);
}

function runVenv(
  python: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ failed: boolean; output: string }> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(python, ['-m', 'venv', folder], { env, signal, windowsHide: true }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: `${stdout}\n${stderr}` }),
    );
  });
}

/** Explains a failure. Debian has the modules for virtual environments in a separate package. */
async function explained(python: string, root: string, output: string): Promise<ToolkitError> {
  if (/ensurepip|No module named '?venv/.test(output)) {
    const minor = /^\d+\.\d+/.exec((await versionOf(python, root)) ?? '')?.[0] ?? '3';
    return new ToolkitError(
      'INSTALLER_MISSING',
      vscode.l10n.t('{0} cannot create virtual environments: its module ensurepip is missing.', python),
      {
        hint: vscode.l10n.t(
          'On Debian and Ubuntu, install it with "sudo apt install python{0}-venv".',
          minor,
        ),
      },
    );
  }
  const last = output.trim().split('\n').at(-1)?.trim().replace(/\.$/, '');
  return new ToolkitError(
    'INSTALLER_MISSING',
    vscode.l10n.t('{python} could not create the virtual environment {folder}: {reason}.', {
      python,
      folder: ENVIRONMENT,
      reason: last || vscode.l10n.t('it printed no error'),
    }),
    {
      hint: vscode.l10n.t(
        'Run "{0} -m venv {1}" in a terminal to see the whole output.',
        python,
        ENVIRONMENT,
      ),
    },
  );
}
