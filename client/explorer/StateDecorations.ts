/** Badges and colors for changes and problems of endpoints in the explorer, as VS Code has them for files. */
import * as vscode from 'vscode';
import type { EndpointState } from './endpointState.ts';

const SCHEME = 'toolkit-endpoint';

/** A URI that encodes the state of an endpoint. VS Code requests the decoration for this URI. */
export function stateUri(id: string, state: EndpointState, problems: number): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `/${encodeURIComponent(id)}`,
    query: `${state}&${problems}`,
  });
}

export class StateDecorations implements vscode.FileDecorationProvider {
  provideFileDecoration({ scheme, query }: vscode.Uri): vscode.FileDecoration | undefined {
    if (scheme !== SCHEME) return undefined;
    const [state, problems] = query.split('&') as [EndpointState, string];
    const { l10n } = vscode;
    switch (state) {
      case 'invalid':
        return decoration(problems, l10n.t('Has errors'), 'list.errorForeground');
      case 'failing':
        return decoration('!', l10n.t('Workers fail to start'), 'list.errorForeground');
      case 'changed':
        return decoration('M', l10n.t('Undeployed changes'), 'gitDecoration.modifiedResourceForeground');
      case 'undeclared':
        return decoration('D', l10n.t('No longer in the source'), 'gitDecoration.deletedResourceForeground');
      case 'declared':
      case 'deployed':
      case 'unknown':
        return Number(problems) > 0
          ? decoration(problems, l10n.t('Has warnings'), 'list.warningForeground')
          : undefined;
    }
  }
}

function decoration(badge: string, tooltip: string, color: string): vscode.FileDecoration {
  return new vscode.FileDecoration(badge.length > 2 ? '9+' : badge, tooltip, new vscode.ThemeColor(color));
}
