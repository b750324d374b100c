/** Projects → the endpoint tree that the client is sent: the projects in which something but a place has changed. */
import type { EndpointTree, ProjectNode } from '../../runtime/contract/editorMessages.ts';
import { isSameTree } from '../features/endpointTree.ts';

export class TreePublisher {
  /** How many notifications were sent. */
  sent = 0;
  readonly #send: (tree: EndpointTree) => void;
  /** By id, as the client has them. */
  readonly #known = new Map<string, ProjectNode>();

  constructor(send: (tree: EndpointTree) => void) {
    this.#send = send;
  }

  /** Publishes a project if it differs. */
  update(project: ProjectNode): void {
    const known = this.#known.get(project.id);
    if (known && isSameTree(known, project)) return;
    this.#known.set(project.id, project);
    this.#publish([project], []);
  }

  /** Publishes that only these projects are left. */
  keep(ids: ReadonlySet<string>): void {
    const removed = [...this.#known.keys()].filter((id) => !ids.has(id));
    for (const id of removed) this.#known.delete(id);
    if (removed.length > 0) this.#publish([], removed);
  }

  #publish(projects: ProjectNode[], removed: string[]): void {
    this.sent += 1;
    this.#send({ revision: this.sent, projects, removed });
  }
}
