/** The target project of a command: the one in its argument, else the active document's, else the user's choice. */
import * as vscode from 'vscode';
import type { ProjectNode } from '../../runtime/contract/editorMessages.ts';
import type { ProjectTree } from './ProjectTree.ts';

/** The part of a lens's argument or an explorer node that identifies its project. */
export interface ProjectReference {
  root: string;
}

/** @returns Undefined if there is none (a message is shown) or none was chosen. */
export async function chooseProject(
  projects: ProjectTree,
  reference: Partial<ProjectReference> | undefined,
): Promise<ProjectNode | undefined> {
  if (reference?.root !== undefined) return projects.ofRoot(reference.root);
  const declaring = projects.all.filter(({ endpoints }) => endpoints.length > 0);
  // A project without declarations can still have deployed endpoints.
  const candidates = declaring.length > 0 ? declaring : projects.all;
  const active = vscode.window.activeTextEditor?.document.uri;
  const around = active && projects.around(active);
  if (around && candidates.includes(around)) return around;
  if (candidates.length <= 1) {
    if (candidates.length === 0) void showNoProjects();
    return candidates[0];
  }
  const items = candidates.map((project) => ({
    label: project.app,
    description: vscode.workspace.asRelativePath(vscode.Uri.parse(project.root)),
    project,
  }));
  const title = vscode.l10n.t('Which project?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.project;
}

async function showNoProjects(): Promise<void> {
  const create = vscode.l10n.t('New Project');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'This window has no endpoints. Mark a Python function with @Endpoint, or create a project.',
    ),
    create,
  );
  if (chosen === create) await vscode.commands.executeCommand('toolkit.newProject');
}
