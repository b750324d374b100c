/** The tree view of endpoints: draws what the language server knows, and reveals declarations. */
import * as vscode from 'vscode';
import type { EndpointNode, EndpointTree, Place } from '../../runtime/contract/editorMessages.ts';
import { childrenOf, idOf, type Node } from './nodes.ts';
import { applyTree, NO_PROJECTS, type Projects } from './Projects.ts';

export class ExplorerView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  #projects: Projects = NO_PROJECTS;

  constructor() {
    this.#view = vscode.window.createTreeView('toolkit.endpoints', { treeDataProvider: this });
  }

  show(tree: EndpointTree): void {
    this.#projects = applyTree(this.#projects, tree);
    const all = [...this.#projects.values()].flatMap(({ endpoints }) => endpoints);
    const count = all.length === 1 ? '1 endpoint' : `${all.length} endpoints`;
    this.#view.badge = all.length > 0 ? { value: all.length, tooltip: count } : undefined;
    this.#changed.fire(undefined);
  }

  getChildren(parent?: Node): Node[] {
    return childrenOf(this.#projects, parent);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const item = itemOf(node);
    item.id = idOf(node);
    item.contextValue = node.type;
    return item;
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }
}

function itemOf(node: Node): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  switch (node.type) {
    case 'project': {
      const item = new vscode.TreeItem(node.project.app, Expanded);
      item.iconPath = new vscode.ThemeIcon('folder');
      return item;
    }
    case 'endpoint': {
      const { endpoint } = node;
      const item = new vscode.TreeItem(
        endpoint.name ?? 'name known when the code runs',
        endpoint.routes.length > 0 ? Collapsed : None,
      );
      item.description = hardwareOf(endpoint);
      item.iconPath = new vscode.ThemeIcon(endpoint.kind === 'queue' ? 'symbol-function' : 'globe');
      item.resourceUri = vscode.Uri.parse(endpoint.uri);
      item.command = openAt(endpoint);
      return item;
    }
    case 'route': {
      const { route } = node;
      const item = new vscode.TreeItem(`${route.method} ${route.path}`, None);
      item.description = route.description ?? '';
      item.iconPath = new vscode.ThemeIcon('arrow-right');
      item.command = openAt(route);
      return item;
    }
  }
}

function hardwareOf({ endpoint: { hardware } }: EndpointNode): string {
  if (hardware === null) return '';
  return 'gpu' in hardware ? `GPU ${hardware.gpu}` : hardware.cpu;
}

function openAt({ uri, selectionRange: { start, end } }: Place): vscode.Command {
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  return { command: 'vscode.open', title: 'Open', arguments: [vscode.Uri.parse(uri), { selection }] };
}
