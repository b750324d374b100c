/**
 * The deployments of each project, and what a deploy would change, as reported by the core. Starts nothing, and does
 * nothing in an untrusted window.
 */
import * as vscode from 'vscode';
import type { DeployedProject, PendingChanges } from '../../runtime/contract/coreMessages.ts';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import type { Core } from '../core/Core.ts';
import { isProject } from '../hasProject.ts';
import type { ProjectTree } from '../projects/ProjectTree.ts';
import type { Environments } from './Environments.ts';

/** In milliseconds. Delay after a save before its changes are computed, because saves come in bursts. */
const AFTER_SAVE = 400;

export interface Deployment {
  /** Null until it is known. */
  deployed: DeployedProject | null;
  /** Null until it is known, and if nothing is deployed. */
  pending: PendingChanges | null;
  /** Why the deployments are unknown. */
  error: ToolkitError | null;
}

const UNKNOWN: Deployment = { deployed: null, pending: null, error: null };

export class Deployments implements vscode.Disposable {
  readonly #core: Core;
  readonly #projects: ProjectTree;
  readonly #environments: Environments;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #known = new Map<string, Deployment>();
  /** Requests in progress, by root. */
  readonly #asking = new Map<string, AbortController>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #listeners: vscode.Disposable[];

  constructor(core: Core, projects: ProjectTree, environments: Environments) {
    this.#core = core;
    this.#projects = projects;
    this.#environments = environments;
    this.#listeners = [
      projects.onDidChange(() => void this.#follow()),
      environments.onDidChange((root) => void this.refresh(root)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#saved(uri)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#follow()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.refreshAll();
      }),
    ];
  }

  /** @param root - URI of a project's root. */
  of(root: string): Deployment {
    return this.#known.get(root) ?? UNKNOWN;
  }

  async refreshAll(): Promise<void> {
    await Promise.all(this.#roots.map((root) => this.refresh(root)));
  }

  /**
   * Refreshes the deployments of all projects without a request in progress. Computes what a deploy would change only
   * if other builds are deployed than before.
   */
  async refreshStates(): Promise<void> {
    const idle = this.#roots.filter((root) => !this.#asking.has(root));
    await Promise.all(idle.map((root) => this.refresh(root, { changes: false })));
  }

  /** Refreshes one project, and aborts an earlier request for it. */
  async refresh(root: string, { changes = true } = {}): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    this.#asking.get(root)?.abort();
    const asking = new AbortController();
    this.#asking.set(root, asking);
    const options = {
      project: vscode.Uri.parse(root).fsPath,
      environment: this.#environments.selected(root),
      signal: asking.signal,
    };
    const before = this.of(root);
    let now: Deployment;
    try {
      const deployed = await this.#core.call('deployed', options);
      if (asking.signal.aborted) return;
      this.#keep(root, { ...before, deployed, error: null });
      const isSame = !changes && before.deployed !== null && buildsOf(before.deployed) === buildsOf(deployed);
      const isEmpty = deployed.endpoints.length === 0;
      const pending = isSame ? before.pending : isEmpty ? null : await this.#core.call('pending', options);
      now = { deployed, pending, error: null };
    } catch (error) {
      if (asking.signal.aborted) return;
      if (!(error instanceof ToolkitError)) throw error;
      now = { ...UNKNOWN, error };
    } finally {
      if (this.#asking.get(root) === asking) this.#asking.delete(root);
    }
    if (!asking.signal.aborted) this.#keep(root, now);
  }

  dispose(): void {
    for (const asking of this.#asking.values()) asking.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    vscode.Disposable.from(...this.#listeners, this.#changed).dispose();
  }

  #keep(root: string, now: Deployment): void {
    const before = this.of(root);
    this.#known.set(root, now);
    if (shownOf(before) !== shownOf(now)) this.#changed.fire();
  }

  /** The roots with a known deployment or a request in progress. */
  get #roots(): string[] {
    return [...new Set([...this.#known.keys(), ...this.#asking.keys()])];
  }

  /** Refreshes new projects and forgets removed ones. Also includes projects that no longer declare endpoints. */
  async #follow(): Promise<void> {
    const { all } = this.#projects;
    for (const root of this.#roots) if (!all.some((project) => project.root === root)) this.#forget(root);
    for (const { root, endpoints } of all) {
      if (this.#roots.includes(root)) continue;
      if (endpoints.length > 0 || (await isProject(vscode.Uri.parse(root)))) void this.refresh(root);
    }
  }

  #forget(root: string): void {
    this.#asking.get(root)?.abort();
    this.#asking.delete(root);
    this.#known.delete(root);
  }

  #saved(uri: vscode.Uri): void {
    const root = this.#projects.around(uri)?.root;
    if (root === undefined || !this.#roots.includes(root)) return;
    clearTimeout(this.#timers.get(root));
    this.#timers.set(
      root,
      setTimeout(() => void this.refresh(root), AFTER_SAVE),
    );
  }
}

/** What a plan depends on in addition to the project. */
function buildsOf({ app, environment, platform, endpoints }: DeployedProject): string {
  return JSON.stringify([app, environment, platform, endpoints.map(({ id, build }) => [id, build])]);
}

/**
 * The visible part of a deployment. Excludes counts of jobs and workers, which change all the time: redrawing the tree
 * loses the entry that is being clicked.
 */
function shownOf({ deployed, pending, error }: Deployment): string {
  const endpoints = deployed?.endpoints.map(({ name, url, build, workers }) => [
    name,
    url,
    build,
    workers.unhealthy > 0,
  ]);
  return JSON.stringify([deployed && { ...deployed, endpoints }, pending, error?.message]);
}
