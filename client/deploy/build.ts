/** Build: builds the artifact, with a cancellable progress notification. */
import * as vscode from 'vscode';
import type { ProjectNode } from '../../runtime/contract/editorMessages.ts';
import { withProgress } from '../messages/withProgress.ts';
import type { Services } from '../Services.ts';
import { drawProgress } from './drawProgress.ts';

export async function build(services: Services, project: ProjectNode): Promise<void> {
  const { core, log, showError } = services;
  await vscode.workspace.saveAll(false);
  const root = vscode.Uri.parse(project.root).fsPath;
  try {
    const title = vscode.l10n.t('Build {0}', project.app);
    const { artifact, bytes, endpoints, seconds } = await withProgress(title, (signal, progress) =>
      core.call('build', {
        project: root,
        signal,
        onProgress: drawProgress(progress, log),
        onNote: (note) => log.info(note),
      }),
    );
    const megabytes = (bytes / 1_000_000).toFixed(1);
    log.info(`${artifact}: ${endpoints.join(', ')}`);
    const reveal = vscode.l10n.t('Reveal');
    void vscode.window
      .showInformationMessage(
        vscode.l10n.t('Built {0}: {1} MB in {2} s.', project.app, megabytes, seconds.toFixed(1)),
        reveal,
      )
      .then((chosen) => {
        if (chosen === reveal)
          return vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(artifact));
      });
  } catch (error) {
    await showError(error, { root, retry: () => build(services, project) });
  }
}
