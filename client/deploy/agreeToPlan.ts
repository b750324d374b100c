/** Shows a plan as a list for approval: Enter carries it out, Escape cancels. */
import * as vscode from 'vscode';
import type { PlanReview } from '../../runtime/contract/coreMessages.ts';
import type { Plan } from '../../runtime/contract/deployment.ts';

export function isUnchanged({ create, update, remove }: Plan): boolean {
  return create.length + update.length + remove.length === 0;
}

/** @returns Whether the user approved the plan; false if `ended` is aborted first. */
export async function agreeToPlan(review: PlanReview, ended: AbortSignal): Promise<boolean> {
  const { app, environment, plan } = review;
  if (ended.aborted) return false;
  const { l10n } = vscode;
  const closed = new vscode.CancellationTokenSource();
  ended.addEventListener('abort', () => closed.cancel(), { once: true });
  const go: vscode.QuickPickItem = {
    label: `$(rocket) ${l10n.t('Deploy: {0}', summary(plan))}`,
    alwaysShow: true,
  };
  const chosen = await vscode.window.showQuickPick(
    [go, ...planItems(plan), ...noteItems(review.notes)],
    {
      title: l10n.t('Deploy to {0}', `${app}/${environment}`),
      placeHolder: l10n.t('Press Enter to deploy, Escape to change nothing'),
      ignoreFocusOut: true,
      matchOnDescription: true,
    },
    closed.token,
  );
  closed.dispose();
  if (chosen === undefined) return false;
  return plan.remove.length === 0 || agreeToRemoval(plan.remove, `${app}/${environment}`);
}

/** Asks again before something that cannot be undone. */
export async function agreeToRemoval(names: readonly string[], place: string): Promise<boolean> {
  const remove = vscode.l10n.t('Remove');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove {0} from {1}?', names.join(', '), place),
    { modal: true, detail: vscode.l10n.t('Their URLs stop working, and waiting jobs are lost.') },
    remove,
  );
  return chosen === remove;
}

function summary({ create, update, remove }: Plan): string {
  const { l10n } = vscode;
  return [
    ...(create.length > 0 ? [l10n.t('create {0}', create.length)] : []),
    ...(update.length > 0 ? [l10n.t('update {0}', update.length)] : []),
    ...(remove.length > 0 ? [l10n.t('remove {0}', remove.length)] : []),
  ].join(', ');
}

function planItems({ create, update, unchanged, remove }: Plan): vscode.QuickPickItem[] {
  const { l10n } = vscode;
  return [
    ...group(
      l10n.t('Create'),
      create.map((name) => ({ label: `$(add) ${name}` })),
    ),
    ...group(
      l10n.t('Update'),
      update.map(({ name, reasons }) => ({ label: `$(edit) ${name}`, description: reasons.join(', ') })),
    ),
    ...group(
      l10n.t('Remove'),
      remove.map((name) => ({ label: `$(trash) ${name}` })),
    ),
    ...group(
      l10n.t('Unchanged'),
      unchanged.map((name) => ({ label: `$(check) ${name}` })),
    ),
  ];
}

function noteItems(notes: readonly string[]): vscode.QuickPickItem[] {
  return group(
    vscode.l10n.t('On this platform'),
    notes.map((note) => ({ label: `$(info) ${note}` })),
  );
}

function group(label: string, items: vscode.QuickPickItem[]): vscode.QuickPickItem[] {
  return items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}
