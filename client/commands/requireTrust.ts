/** Blocks commands that run code while the window is in Restricted Mode. */
import * as vscode from 'vscode';

/**
 * Wraps a command. The enablement in package.json does not apply to lenses, links and other extensions.
 *
 * @param enablement - The command's enablement in package.json.
 */
export function requireTrust<Argument>(
  enablement: string | undefined,
  run: (argument: Argument) => unknown,
): (argument: Argument) => unknown {
  if (!enablement?.includes('isWorkspaceTrusted')) return run;
  return (argument) => (vscode.workspace.isTrusted ? run(argument) : offerTrust());
}

async function offerTrust(): Promise<void> {
  const manage = vscode.l10n.t('Manage Trust');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('This window is in Restricted Mode: nothing is run, built or deployed until you trust it.'),
    manage,
  );
  if (chosen === manage) await vscode.commands.executeCommand('workbench.trust.manage');
}
