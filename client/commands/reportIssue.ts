/** Report Issue: VS Code's own reporter, with the versions that a report needs. */
import * as vscode from 'vscode';

export async function reportIssue({ id, packageJSON }: vscode.Extension<unknown>): Promise<void> {
  const { version } = packageJSON as { version: string };
  const facts = [
    `Toolkit ${version}`,
    `VS Code ${vscode.version}`,
    `Node ${process.versions.node}`,
    `${process.platform} ${process.arch}`,
    ...(vscode.env.remoteName === undefined ? [] : [`remote: ${vscode.env.remoteName}`]),
  ];
  await vscode.commands.executeCommand('workbench.action.openIssueReporter', {
    extensionId: id,
    issueBody: `${vscode.l10n.t('What did you do, and what happened?')}\n\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n`,
  });
}
