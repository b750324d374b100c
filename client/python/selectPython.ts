/** Lets the user choose a project's interpreter: a known one, one from a file dialog, or a new `.venv`. */
import path from 'node:path';
import * as vscode from 'vscode';
import { ENVIRONMENT } from './createEnvironment.ts';
import { environmentOf, isSupported, OLDEST, versionOf } from './interpreters.ts';
import type { PythonEnvironments } from './PythonEnvironments.ts';

interface Item extends vscode.QuickPickItem {
  choice?: Choice;
}

type Choice = { python: string; version: string } | 'create' | 'browse';

/**
 * Asks for an interpreter.
 *
 * @returns Its path, `create` for a new virtual environment, or null if nothing was chosen.
 */
export async function selectPython(
  root: string,
  environments: PythonEnvironments,
): Promise<{ python: string } | 'create' | null> {
  const placeHolder = vscode.l10n.t('Select the Python interpreter for {0}', path.basename(root));
  const chosen = await vscode.window.showQuickPick<Item>(itemsFor(root, environments), {
    placeHolder,
    matchOnDescription: true,
  });
  const choice = chosen?.choice ?? null;
  if (choice === null || choice === 'create') return choice;
  const python = choice === 'browse' ? await browse() : choice.python;
  if (python === null) return null;
  const version = choice === 'browse' ? await versionOf(python, root) : choice.version;
  const refusal =
    version === null
      ? vscode.l10n.t('{0} is not a Python interpreter.', python)
      : isSupported(version)
        ? null
        : vscode.l10n.t('{0} is Python {1}. toolkit_sdk needs Python {2} or newer.', python, version, OLDEST);
  if (refusal === null) return { python };
  const again = vscode.l10n.t('Select Another');
  const answer = await vscode.window.showWarningMessage(refusal, again);
  return answer === again ? selectPython(root, environments) : null;
}

async function itemsFor(root: string, environments: PythonEnvironments): Promise<Item[]> {
  const current = await environments.of(root);
  const files = await environments.all(root);
  const found = await Promise.all(files.map(async (python) => itemOf(root, python, current?.path)));
  const items = found.filter((item) => item !== null);
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const hasOwn = files.some((file) => file.startsWith(path.join(root, ENVIRONMENT) + path.sep));
  const create: Item = {
    label: `$(add) ${vscode.l10n.t('Create {0}…', ENVIRONMENT)}`,
    description: vscode.l10n.t('a virtual environment in the project, with toolkit_sdk'),
    choice: 'create',
  };
  return [
    ...items,
    ...(items.length > 0 ? [separator] : []),
    ...(hasOwn ? [] : [create]),
    { label: `$(folder) ${vscode.l10n.t('Browse…')}`, choice: 'browse' },
  ];
}

/** Null for a file that does not answer like an interpreter. */
async function itemOf(root: string, python: string, current: string | undefined): Promise<Item | null> {
  const version = await versionOf(python, root);
  if (version === null) return null;
  const environment = await environmentOf(python);
  const name = environment === null ? '' : ` (${path.basename(environment)})`;
  return {
    label: `${python === current ? '$(check)' : '$(snake)'} Python ${version}${name}`,
    description: python.startsWith(root + path.sep) ? path.relative(root, python) : python,
    ...(isSupported(version)
      ? {}
      : { detail: `$(warning) ${vscode.l10n.t('Too old: Python {0} or newer is needed', OLDEST)}` }),
    choice: { python, version },
  };
}

async function browse(): Promise<string | null> {
  const openLabel = vscode.l10n.t('Select Python');
  const [file] = (await vscode.window.showOpenDialog({ openLabel, title: openLabel })) ?? [];
  return file?.fsPath ?? null;
}
