/** The data provider of the endpoint tree view. Loads the content when the view is first shown. */
import * as vscode from 'vscode';
import type { Entry } from './nodes.ts';

/** Content of the view. */
export interface TreeContent {
  getChildren(parent?: Entry): Entry[];
  getParent(entry: Entry): Entry | undefined;
  getTreeItem(entry: Entry): vscode.TreeItem;
}

export class LazyTree implements vscode.TreeDataProvider<Entry>, vscode.Disposable {
  readonly #load: () => Promise<TreeContent>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<Entry>;
  #content: TreeContent | null = null;

  constructor(load: () => Promise<TreeContent>) {
    this.#load = load;
    this.view = vscode.window.createTreeView('toolkit.endpoints', { treeDataProvider: this });
  }

  /** Makes VS Code request everything again. */
  refresh(): void {
    this.#changed.fire(undefined);
  }

  /** Synchronous once loaded: while VS Code awaits an answer, it can redraw the tree and lose entries. */
  getChildren(parent?: Entry): vscode.ProviderResult<Entry[]> {
    return this.#content ? this.#content.getChildren(parent) : this.#firstChildren();
  }

  getParent(entry: Entry): Entry | undefined {
    return this.#content?.getParent(entry);
  }

  getTreeItem(entry: Entry): vscode.TreeItem {
    return this.#content!.getTreeItem(entry);
  }

  dispose(): void {
    this.view.dispose();
    this.#changed.dispose();
  }

  async #firstChildren(): Promise<Entry[]> {
    this.#content ??= await this.#load();
    return this.#content.getChildren();
  }
}
