/** The request panels of the window: one per project, restored after a reload of the window. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { LensTarget } from '../../runtime/contract/editorMessages.ts';
import type { PanelState, RouteTarget } from '../../runtime/contract/panelMessages.ts';
import { PANEL_TYPE, pageFolder } from './panelHtml.ts';
import { RequestPanel, type RequestPanelContext } from './RequestPanel.ts';

/** A route of a project, or only the project. */
export type RunTarget = LensTarget | { root: string };

export class RequestPanels implements vscode.Disposable {
  readonly #context: RequestPanelContext;
  /** Keyed by the URI of the project's root. */
  readonly #open = new Map<string, { view: RequestPanel; panel: vscode.WebviewPanel }>();

  constructor(context: RequestPanelContext) {
    this.#context = context;
  }

  /** Shows a route in its project's panel, and offers to start the dev server if none runs. */
  async open(target: RunTarget): Promise<void> {
    const choice = 'node' in target ? routeTarget(target) : null;
    const known = this.#open.get(target.root);
    if (known) known.view.reveal();
    const view = known?.view ?? this.#adopt(newPanel(), { root: target.root, choice });
    await view.show(choice, { start: 'ask' });
  }

  /** Reuses a panel that VS Code has restored. */
  async restore(panel: vscode.WebviewPanel, state: PanelState | undefined): Promise<void> {
    // A page that was closed before it was loaded has no state.
    if (!state) return panel.dispose();
    await this.#adopt(panel, state).show(null, { start: 'never' });
  }

  dispose(): void {
    for (const { panel } of this.#open.values()) panel.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, state: PanelState): RequestPanel {
    panel.title = vscode.l10n.t('API Explorer: {0}', path.posix.basename(vscode.Uri.parse(state.root).path));
    panel.iconPath = vscode.Uri.joinPath(this.#context.extensionUri, 'media/icons/icon.png');
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [pageFolder(this.#context.extensionUri)],
    };
    const view = new RequestPanel(panel, state, this.#context);
    this.#open.set(state.root, { view, panel });
    panel.onDidDispose(() => this.#open.delete(state.root));
    return view;
  }
}

function newPanel(): vscode.WebviewPanel {
  const isBesideCode = vscode.window.activeTextEditor !== undefined;
  return vscode.window.createWebviewPanel(
    PANEL_TYPE,
    'Run',
    isBesideCode ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    // Keeps waiting for a response while another tab hides the panel.
    { retainContextWhenHidden: true },
  );
}

function routeTarget({ root, uri, endpoint, route }: LensTarget): RouteTarget {
  const file = path.posix.relative(vscode.Uri.parse(root).path, vscode.Uri.parse(uri).path);
  return { endpoint, route, file: file.startsWith('..') ? null : file };
}
