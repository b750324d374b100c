/** The tree view of endpoints as VS Code asks for it: its content is loaded when the view is first seen. */
import * as vscode from 'vscode';
import type { Entry } from './nodes.ts';

/** What the view shows. */
export interface TreeContent {
  getChildren(parent?: Entry): Entry[];
  getParent(entry: Entry): Entry | undefined;
  getTreeItem(entry: Entry): vscode.TreeItem;
}

export class LazyTree implements vscode.TreeDataProvider<Entry>, vscode.Disposable {
  readonly #content: () => Promise<TreeContent>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<Entry>;

  constructor(content: () => Promise<TreeContent>) {
    this.#content = content;
    this.view = vscode.window.createTreeView('toolkit.endpoints', { treeDataProvider: this });
  }

  /** Asks for everything again. */
  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(parent?: Entry): Promise<Entry[]> {
    return (await this.#content()).getChildren(parent);
  }

  async getParent(entry: Entry): Promise<Entry | undefined> {
    return (await this.#content()).getParent(entry);
  }

  async getTreeItem(entry: Entry): Promise<vscode.TreeItem> {
    return (await this.#content()).getTreeItem(entry);
  }

  dispose(): void {
    this.view.dispose();
    this.#changed.dispose();
  }
}
