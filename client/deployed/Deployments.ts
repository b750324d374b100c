/**
 * What runs where, and what a deploy would change: asked of the core, kept by project. Nothing is started for it, and in
 * an untrusted window nothing is asked.
 */
import * as vscode from 'vscode';
import type { DeployedProject, PendingChanges } from '../../runtime/contract/coreMessages.ts';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import type { Core } from '../core/Core.ts';
import { isProject } from '../hasProject.ts';
import type { ProjectTree } from '../projects/ProjectTree.ts';
import type { Environments } from './Environments.ts';

/** How long after a save its changes are computed, milliseconds: saves come in bursts. */
const AFTER_SAVE = 400;

export interface Deployment {
  /** Null until it is known. */
  deployed: DeployedProject | null;
  /** Null until it is known, and where nothing is deployed. */
  pending: PendingChanges | null;
  /** Why what is deployed cannot be known. */
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
  /** By root, what is being asked now. */
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

  /** Asks what runs, where nothing is being asked. What a deploy would change is asked only where other builds run. */
  async refreshStates(): Promise<void> {
    const idle = this.#roots.filter((root) => !this.#asking.has(root));
    await Promise.all(idle.map((root) => this.refresh(root, { changes: false })));
  }

  /** Asks again, and what was asked before is left: the newest answer counts. */
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

  /** Of the projects that were asked about. */
  get #roots(): string[] {
    return [...new Set([...this.#known.keys(), ...this.#asking.keys()])];
  }

  /** New projects are asked about, and those that are gone are forgotten. One may have no declaration any more. */
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

/** What a plan depends on besides the project. */
function buildsOf({ app, environment, platform, endpoints }: DeployedProject): string {
  return JSON.stringify([app, environment, platform, endpoints.map(({ id, build }) => [id, build])]);
}

/**
 * What somebody sees of a deployment. Counts of jobs and workers change all the time, and a tree that is drawn again
 * loses the entry that is just being clicked.
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
