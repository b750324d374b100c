/** Projects → the endpoint tree that the client is sent: the projects in which something but a place has changed. */
import type { EndpointTree, ProjectNode } from '../../runtime/contract/editorMessages.ts';
import type { Steps } from '../../runtime/source/steps.ts';

export class TreePublisher {
  /** How many notifications were sent. */
  sent = 0;
  readonly #send: (tree: EndpointTree) => void;
  /** By id, what the client has, without places. */
  readonly #known = new Map<string, string>();

  constructor(send: (tree: EndpointTree) => void) {
    this.#send = send;
  }

  /** Publishes a project if it differs; each step compares one endpoint. */
  *update(project: ProjectNode): Steps {
    const { endpoints, ...rest } = project;
    const texts = [withoutPlaces(rest)];
    for (const endpoint of endpoints) {
      texts.push(withoutPlaces(endpoint));
      yield;
    }
    const text = texts.join('\n');
    if (this.#known.get(project.id) === text) return;
    this.#known.set(project.id, text);
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

/** A message may name places of other files, as `worker.py:12`. */
function withoutPlaces(node: object): string {
  return JSON.stringify(node, (key, value: unknown) => {
    // Names of variables in `env` may be any.
    if (key === 'line' && typeof value === 'number') return undefined;
    if ((key === 'range' || key === 'selectionRange') && typeof value === 'object') return undefined;
    return key === 'message' && typeof value === 'string' ? value.replace(/(\.\w+):\d+/g, '$1') : value;
  });
}
