/** Lets the user choose which endpoints the explorer shows. */
import * as vscode from 'vscode';
import type { ExplorerView } from './ExplorerView.ts';
import type { Filter } from './nodes.ts';

export async function chooseFilter(explorer: ExplorerView): Promise<void> {
  const { l10n } = vscode;
  const labels: Record<Filter, string> = {
    all: l10n.t('All endpoints'),
    problems: l10n.t('With problems'),
    changed: l10n.t('To be deployed'),
    deployed: l10n.t('Deployed'),
    declared: l10n.t('Not deployed'),
  };
  const items = (Object.entries(labels) as [Filter, string][]).map(([filter, label]) => ({
    label: filter === explorer.filter ? `$(check) ${label}` : label,
    filter,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: l10n.t('Show Endpoints') });
  if (chosen) explorer.show(chosen.filter, chosen.filter === 'all' ? '' : labels[chosen.filter]);
}
