/** Lists the URLs after a deploy. Choosing one copies it; its button opens it. */
import * as vscode from 'vscode';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';

interface AddressItem extends vscode.QuickPickItem {
  url: string;
}

export async function showAddresses({
  app,
  environment,
  loadBalanced,
  queueBased,
}: DeployDocument): Promise<void> {
  const open: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('link-external'),
    tooltip: vscode.l10n.t('Open in Browser'),
  };
  const items: AddressItem[] = [
    ...loadBalanced.flatMap(({ name, url, routes }) => [
      { label: name, description: url, detail: routes.join(' · '), url, buttons: [open] },
    ]),
    ...queueBased.map(({ name, url }) => ({
      label: name,
      description: `${url}/runsync`,
      url: `${url}/runsync`,
    })),
  ];
  const picker = vscode.window.createQuickPick<AddressItem>();
  picker.title = vscode.l10n.t('URLs of {0}', `${app}/${environment}`);
  picker.placeholder = vscode.l10n.t('Choose a URL to copy it');
  picker.matchOnDescription = true;
  picker.items = items;
  picker.onDidTriggerItemButton(({ item }) => vscode.env.openExternal(vscode.Uri.parse(item.url)));
  picker.onDidAccept(async () => {
    const [chosen] = picker.selectedItems;
    picker.hide();
    if (!chosen) return;
    await vscode.env.clipboard.writeText(chosen.url);
    vscode.window.setStatusBarMessage(vscode.l10n.t('$(check) Copied {0}', chosen.url), 4_000);
  });
  picker.onDidHide(() => picker.dispose());
  picker.show();
}
