/** Projects → the endpoint tree that the client is sent: when something in it but a place has changed. */
import type { EndpointTree, ProjectNode } from '../../runtime/contract/editorMessages.ts';
import { isSameTree } from '../features/endpointTree.ts';

export class TreePublisher {
  /** How many notifications were sent. */
  sent = 0;
  readonly #send: (tree: EndpointTree) => void;
  /** By URI of the project's root. */
  readonly #projects = new Map<string, ProjectNode>();
  #told: readonly ProjectNode[] = [];

  constructor(send: (tree: EndpointTree) => void) {
    this.#send = send;
  }

  /** A project says something new, or says the same. */
  update(project: ProjectNode): void {
    this.#projects.set(project.root, project);
    this.#tell();
  }

  /** Only these projects are left. */
  keep(roots: ReadonlySet<string>): void {
    for (const root of this.#projects.keys()) if (!roots.has(root)) this.#projects.delete(root);
    this.#tell();
  }

  #tell(): void {
    const projects = [...this.#projects.values()].sort((a, b) => (a.root < b.root ? -1 : 1));
    if (isSameTree(projects, this.#told)) return;
    this.#told = projects;
    this.sent += 1;
    this.#send({ revision: this.sent, projects });
  }
}
