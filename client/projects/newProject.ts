/** New Project: asks for a template, name and folder, then creates and opens the project. */
import path from 'node:path';
import * as vscode from 'vscode';
import { isValidName, NAME_RULE } from '../../runtime/contract/names.ts';
import type { Services } from '../Services.ts';

interface TemplateItem extends vscode.QuickPickItem {
  template: string;
}

export async function newProject({ core, showError }: Pick<Services, 'core' | 'showError'>): Promise<void> {
  const { l10n } = vscode;
  const title = l10n.t('New Project');
  const templates: TemplateItem[] = [
    {
      label: l10n.t('Starter'),
      detail: l10n.t('A GPU function, a CPU function, and an HTTP service with two routes'),
      template: 'default',
    },
    {
      label: l10n.t('Tutorial: text analysis'),
      detail: l10n.t('A CPU service with three routes, and a GPU service for sentiment'),
      template: 'tutorial',
    },
  ];
  const chosen = await vscode.window.showQuickPick(templates, {
    title,
    placeHolder: l10n.t('Choose a template'),
  });
  if (chosen === undefined) return;
  const name = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('Name of the project, its folder and its app'),
    value: chosen.template === 'tutorial' ? 'text-analysis' : 'my-endpoints',
    validateInput: (text) => (isValidName(text) ? null : l10n.t('A name must be {0}.', NAME_RULE)),
  });
  if (name === undefined) return;
  const [parent] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Where should {0} be created?', name),
      openLabel: l10n.t('Create Here'),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (parent === undefined) return;
  try {
    const { project } = await core.call('init', {
      project: null,
      args: [path.join(parent.fsPath, name)],
      flags: { template: chosen.template },
      onQuestion: async (question) => question.kind === 'consent' && overwrite(question.message),
    });
    await open(vscode.Uri.file(project));
  } catch (error) {
    await showError(error, { retry: () => newProject({ core, showError }) });
  }
}

async function overwrite(message: string): Promise<boolean> {
  const yes = vscode.l10n.t('Overwrite');
  return (await vscode.window.showWarningMessage(message, { modal: true }, yes)) === yes;
}

/** Opens the project in an empty window. In a window with folders, asks first. */
async function open(project: vscode.Uri): Promise<void> {
  if (!vscode.workspace.workspaceFolders?.length) {
    await vscode.commands.executeCommand('vscode.openFolder', project);
    return;
  }
  const { l10n } = vscode;
  const [here, newWindow, add] = [l10n.t('Open'), l10n.t('Open in New Window'), l10n.t('Add to Workspace')];
  const created = l10n.t('Created {0}.', project.fsPath);
  const chosen = await vscode.window.showInformationMessage(created, here, newWindow, add);
  if (chosen === add) {
    const { length } = vscode.workspace.workspaceFolders;
    vscode.workspace.updateWorkspaceFolders(length, 0, { uri: project });
  } else if (chosen !== undefined) {
    await vscode.commands.executeCommand('vscode.openFolder', project, {
      forceNewWindow: chosen === newWindow,
    });
  }
}
