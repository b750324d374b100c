/** The window's projects and their endpoints, as the language server reports them. */
import * as vscode from 'vscode';
import type {
  EndpointNode,
  EndpointTree,
  LensTarget,
  ProjectNode,
} from '../../runtime/contract/editorMessages.ts';
import { applyTree, NO_PROJECTS, type Projects } from './applyTree.ts';

export class ProjectTree implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #projects: Projects = NO_PROJECTS;

  apply(tree: EndpointTree): void {
    this.#projects = applyTree(this.#projects, tree);
    this.#changed.fire();
  }

  get all(): ProjectNode[] {
    return [...this.#projects.values()];
  }

  /** Root URIs of all projects with endpoints, each once. */
  get roots(): string[] {
    const declaring = this.all.filter(({ endpoints }) => endpoints.length > 0);
    return [...new Set(declaring.map(({ root }) => root))];
  }

  ofRoot(root: string): ProjectNode | undefined {
    return this.all.find((project) => project.root === root);
  }

  /** The project that a document belongs to: the innermost root above it. */
  around(uri: vscode.Uri): ProjectNode | undefined {
    const inside = this.all.filter(({ root }) => uri.toString().startsWith(`${root.replace(/\/$/, '')}/`));
    return inside.toSorted((a, b) => b.root.length - a.root.length)[0];
  }

  /** The endpoint that a lens or a command refers to. */
  endpointOf({ root, node }: Pick<LensTarget, 'root' | 'node'>): EndpointNode | undefined {
    return this.all
      .filter((project) => project.root === root)
      .flatMap(({ endpoints }) => endpoints)
      .find(({ id, routes, functions }) =>
        [id, ...[...routes, ...functions].map((one) => one.id)].includes(node),
      );
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
