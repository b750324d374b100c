/** Deploy: shows the plan, then progress in one cancellable notification, then the URLs. */
import * as vscode from 'vscode';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';
import type { CoreQuestion } from '../../runtime/contract/coreMessages.ts';
import type { ProjectNode } from '../../runtime/contract/editorMessages.ts';
import { withProgress } from '../messages/withProgress.ts';
import type { Services } from '../Services.ts';
import { agreeToPlan, isUnchanged } from './agreeToPlan.ts';
import { drawProgress } from './drawProgress.ts';
import { showAddresses } from './showAddresses.ts';

/** @param environment - Null for the selected one. */
export async function deploy(
  services: Services,
  project: ProjectNode,
  environment: string | null = null,
): Promise<void> {
  const { deploying } = services;
  // The platform would reject a second deploy, but only after its plan was approved.
  if (deploying.has(project.root)) {
    const text = vscode.l10n.t(
      '{0} is already being deployed. Wait until that ends, or cancel it.',
      project.app,
    );
    void vscode.window.showInformationMessage(text);
    return;
  }
  deploying.add(project.root);
  try {
    await deployOnce(services, project, environment);
  } finally {
    deploying.delete(project.root);
  }
}

async function deployOnce(
  services: Services,
  project: ProjectNode,
  environment: string | null,
): Promise<void> {
  const { core, environments, deployments, log, showError } = services;
  await vscode.workspace.saveAll(false);
  const target = environment ?? environments.selected(project.root);
  const root = vscode.Uri.parse(project.root).fsPath;
  try {
    const title = vscode.l10n.t('Deploy {0}', project.app);
    const deployed = await withProgress(title, (signal, progress) =>
      core.call('deploy', {
        project: root,
        environment: target,
        signal,
        onProgress: drawProgress(progress, log),
        onNote: (note) => log.info(note),
        onQuestion: (question, ended) => {
          progress.report({ message: vscode.l10n.t('review the plan') });
          return agree(question, ended);
        },
      }),
    );
    announce(deployed);
  } catch (error) {
    // Not awaited: the message stays until the user closes it.
    void showError(error, { root, retry: () => deploy(services, project, environment) });
  } finally {
    await deployments.refresh(project.root);
  }
}

/** Asks for approval, unless the plan changes nothing. */
async function agree(question: CoreQuestion, ended: AbortSignal): Promise<boolean> {
  if (question.kind !== 'plan') return false;
  return isUnchanged(question.review.plan) || agreeToPlan(question.review, ended);
}

function announce(deployed: DeployDocument): void {
  const { app, environment, build, plan } = deployed;
  const place = `${app}/${environment}`;
  const text = isUnchanged(plan)
    ? vscode.l10n.t('{0} is up to date, build {1}.', place, build)
    : vscode.l10n.t('Deployed {0}, build {1}.', place, build);
  const addresses = vscode.l10n.t('Show URLs');
  // Not awaited: the deploy has ended, whether its message is read or not.
  void vscode.window.showInformationMessage(text, addresses).then((chosen) => {
    if (chosen === addresses) return showAddresses(deployed);
  });
}
