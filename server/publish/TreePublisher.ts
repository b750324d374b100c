/** Projects → the endpoint tree that the client is sent: when something in it but a place has changed. */
import type { EndpointTree, ProjectNode } from '../../runtime/contract/editorMessages.ts';
import { isSameTree } from '../features/endpointTree.ts';

export class TreePublisher {
  /** How many notifications were sent. */
  sent = 0;
  readonly #send: (tree: EndpointTree) => void;
  /** By whose they are: files that belong to no project may stand in one folder. */
  readonly #projects = new Map<object, ProjectNode>();
  #told: readonly ProjectNode[] = [];

  constructor(send: (tree: EndpointTree) => void) {
    this.#send = send;
  }

  /** A project says something new, or says the same. */
  update(owner: object, project: ProjectNode): void {
    this.#projects.set(owner, project);
    this.#tell();
  }

  /** Only these owners are left. */
  keep(owners: ReadonlySet<object>): void {
    for (const owner of this.#projects.keys()) if (!owners.has(owner)) this.#projects.delete(owner);
    this.#tell();
  }

  #tell(): void {
    const projects = [...this.#projects.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    if (isSameTree(projects, this.#told)) return;
    this.#told = projects;
    this.sent += 1;
    this.#send({ revision: this.sent, projects });
  }
}

/** By root, then by file. */
function orderOf({ root, endpoints }: ProjectNode): string {
  return `${root}\0${endpoints[0]?.uri ?? ''}`;
}
