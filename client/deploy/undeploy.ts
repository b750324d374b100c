/** Undeploy: removes endpoints from the selected environment, after confirmation. */
import * as vscode from 'vscode';
import type { ProjectNode } from '../../runtime/contract/editorMessages.ts';
import type { Services } from '../Services.ts';
import { agreeToRemoval } from './agreeToPlan.ts';

/** @param names - Null to let the user choose from the deployed endpoints. */
export async function undeploy(
  services: Services,
  project: ProjectNode,
  names: string[] | null,
): Promise<void> {
  const { core, environments, deployments, log, showError } = services;
  const chosen = names ?? (await chooseNames(services, project));
  if (chosen === undefined || chosen.length === 0) return;
  const root = vscode.Uri.parse(project.root).fsPath;
  try {
    const { removed } = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Undeploy {0}', chosen.join(', ')),
      },
      () =>
        core.call('undeploy', {
          project: root,
          environment: environments.selected(project.root),
          args: chosen,
          onNote: (note) => log.info(note),
          onQuestion: () => agreeToRemoval(chosen, placeOf(services, project)),
        }),
    );
    void vscode.window.showInformationMessage(vscode.l10n.t('Removed {0}.', removed.join(', ')));
  } catch (error) {
    // Not awaited: the message stays until the user closes it.
    void showError(error, { root, retry: () => undeploy(services, project, chosen) });
  } finally {
    await deployments.refresh(project.root);
  }
}

async function chooseNames(services: Services, project: ProjectNode): Promise<string[] | undefined> {
  await services.deployments.refresh(project.root);
  const endpoints = services.deployments.of(project.root).deployed?.endpoints ?? [];
  if (endpoints.length === 0) {
    const place = placeOf(services, project);
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is deployed in {0}.', place));
    return undefined;
  }
  const items = endpoints.map(({ name, url }) => ({ label: name, description: url }));
  const title = vscode.l10n.t('Undeploy from {0}', placeOf(services, project));
  const chosen = await vscode.window.showQuickPick(items, { title, canPickMany: true });
  return chosen?.map(({ label }) => label);
}

function placeOf({ deployments }: Services, { root, app }: ProjectNode): string {
  const deployed = deployments.of(root).deployed;
  return deployed ? `${deployed.app}/${deployed.environment}` : app;
}
