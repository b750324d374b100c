/** The window's projects by root. Of several apps at one root, only the first counts. */
import * as vscode from 'vscode';
import type { ProjectNode } from '../../runtime/contract/editorMessages.ts';
import { chooseProject, type ProjectReference } from './chooseProject.ts';
import type { ProjectTree } from './ProjectTree.ts';

/** One project. */
export interface Root {
  /** Absolute path. */
  path: string;
  uri: vscode.Uri;
  app: string;
  /** Number of endpoints that its code declares. */
  endpoints: number;
}

export class ProjectRoots {
  readonly #projects: ProjectTree;
  readonly onDidChange: vscode.Event<void>;

  constructor(projects: ProjectTree) {
    this.#projects = projects;
    this.onDidChange = projects.onDidChange;
  }

  get all(): readonly Root[] {
    const byPath = new Map<string, Root>();
    for (const project of this.#projects.all) {
      const root = rootOf(project);
      const before = byPath.get(root.path);
      byPath.set(root.path, before ? { ...before, endpoints: before.endpoints + root.endpoints } : root);
    }
    return [...byPath.values()];
  }

  /** The project at a root. */
  at(root: string): Root | undefined {
    return this.all.find((one) => one.path === root);
  }

  /** The project of the active editor's file, else the first. */
  get current(): Root | undefined {
    const file = vscode.window.activeTextEditor?.document.uri;
    const around = file && this.#projects.around(file);
    return around ? rootOf(around) : this.all[0];
  }

  /**
   * The target project of a command.
   *
   * @param argument - The argument of the command, which can identify a project.
   */
  async choose(argument: unknown): Promise<Root | undefined> {
    const chosen = await chooseProject(this.#projects, isReference(argument) ? argument : undefined);
    return chosen && rootOf(chosen);
  }
}

function isReference(argument: unknown): argument is ProjectReference {
  return typeof argument === 'object' && argument !== null && 'root' in argument;
}

function rootOf({ root, app, endpoints }: ProjectNode): Root {
  const uri = vscode.Uri.parse(root);
  return { path: uri.fsPath, uri, app, endpoints: endpoints.length };
}
