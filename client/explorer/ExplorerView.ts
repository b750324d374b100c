/** Content of the endpoint tree view: redrawn when projects or deployments change, and refreshed while it is visible. */
import * as vscode from 'vscode';
import type { Deployments } from '../deployed/Deployments.ts';
import type { ProjectTree } from '../projects/ProjectTree.ts';
import type { LazyTree, TreeContent } from './LazyTree.ts';
import { childrenOf, type Entry, type Filter, findEntry, parentOf, type Shown } from './nodes.ts';
import { StateDecorations } from './StateDecorations.ts';
import { treeItem } from './treeItem.ts';

/** In milliseconds. Minimum time between redraws: changes come in bursts, and a redraw during a redraw loses entries. */
const BURST = 50;

/** In milliseconds. How often a visible view refreshes the deployments. */
const REFRESH = 5_000;

export class ExplorerView implements TreeContent, vscode.Disposable {
  readonly #projects: ProjectTree;
  readonly #deployments: Deployments;
  readonly #tree: LazyTree;
  readonly #view: vscode.TreeView<Entry>;
  readonly #timer: NodeJS.Timeout;
  #redraw: NodeJS.Timeout | undefined;
  readonly #disposables: vscode.Disposable[];
  #filter: Filter = 'all';

  constructor(tree: LazyTree, projects: ProjectTree, deployments: Deployments) {
    this.#tree = tree;
    this.#view = tree.view;
    this.#projects = projects;
    this.#deployments = deployments;
    this.#timer = setInterval(() => {
      if (this.#view.visible && vscode.window.state.focused) void deployments.refreshStates();
    }, REFRESH);
    this.#disposables = [
      vscode.window.registerFileDecorationProvider(new StateDecorations()),
      projects.onDidChange(() => this.#drawSoon()),
      deployments.onDidChange(() => this.#drawSoon()),
    ];
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  get filter(): Filter {
    return this.#filter;
  }

  /** @param name - Shown next to the view's title; empty for no filter. */
  show(filter: Filter, name: string): void {
    this.#filter = filter;
    this.#view.description = name;
    this.#draw();
  }

  /** Selects the entry of a node, if the tree contains it. */
  async select(root: string, node: string): Promise<void> {
    const entry = findEntry(this.#shown, root, node);
    if (entry) await this.#view.reveal(entry, { select: true, focus: false });
  }

  getChildren(parent?: Entry): Entry[] {
    return childrenOf(this.#shown, parent);
  }

  getParent(entry: Entry): Entry | undefined {
    return parentOf(entry);
  }

  getTreeItem(entry: Entry): vscode.TreeItem {
    return treeItem(entry);
  }

  dispose(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#redraw);
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  get #shown(): Shown {
    return {
      projects: this.#projects.all,
      deploymentOf: (root) => this.#deployments.of(root),
      filter: this.#filter,
    };
  }

  #drawSoon(): void {
    this.#redraw ??= setTimeout(() => this.#draw(), BURST);
  }

  #draw(): void {
    clearTimeout(this.#redraw);
    this.#redraw = undefined;
    const problems = this.#projects.all
      .flatMap(({ endpoints }) => endpoints)
      .filter((endpoint) => endpoint.problems.some(({ severity }) => severity === 'error')).length;
    const tooltip =
      problems === 1
        ? vscode.l10n.t('1 endpoint has errors')
        : vscode.l10n.t('{0} endpoints have errors', problems);
    this.#view.badge = problems > 0 ? { value: problems, tooltip } : undefined;
    this.#tree.refresh();
  }
}
