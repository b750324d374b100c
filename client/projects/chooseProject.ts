/** Which project a command is about: the one it was called on, else the active document's, else the one that is chosen. */
import * as vscode from 'vscode';
import type { ProjectNode } from '../../runtime/contract/editorMessages.ts';
import type { ProjectTree } from './ProjectTree.ts';

/** Of arguments of lenses and nodes of the explorer, what names their project. */
export interface ProjectReference {
  root: string;
}

/** @returns Undefined when there is none, which is said, or none was chosen. */
export async function chooseProject(
  projects: ProjectTree,
  reference: Partial<ProjectReference> | undefined,
): Promise<ProjectNode | undefined> {
  if (reference?.root !== undefined) return projects.ofRoot(reference.root);
  const declaring = projects.all.filter(({ endpoints }) => endpoints.length > 0);
  // One without declarations may still have deployed endpoints.
  const candidates = declaring.length > 0 ? declaring : projects.all;
  const active = vscode.window.activeTextEditor?.document.uri;
  const around = active && projects.around(active);
  if (around && candidates.includes(around)) return around;
  if (candidates.length <= 1) {
    if (candidates.length === 0) void sayThatThereIsNone();
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

async function sayThatThereIsNone(): Promise<void> {
  const create = vscode.l10n.t('New Project');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'This window has no endpoints. Mark a Python function with @Endpoint, or create a project.',
    ),
    create,
  );
  if (chosen === create) await vscode.commands.executeCommand('toolkit.newProject');
}
