/** Projects → updates of the client's endpoint tree: only endpoints in which more than ranges has changed. */
import { isDeepStrictEqual } from 'node:util';
import type {
  EndpointNode,
  EndpointTree,
  ProjectChange,
  ProjectNode,
} from '../../runtime/contract/editorMessages.ts';
import type { Steps } from '../../runtime/source/steps.ts';

/** An endpoint as the client has it. */
interface Sent {
  node: EndpointNode;
  /** As JSON, without ranges and line numbers. */
  text: string;
}

/** A project as the client has it. */
interface Known {
  /** The project as JSON, without its endpoints, ranges and line numbers. */
  text: string;
  /** By id, in order. */
  endpoints: ReadonlyMap<string, Sent>;
}

export class TreePublisher {
  /** Number of notifications sent. */
  sent = 0;
  readonly #send: (tree: EndpointTree) => void;
  /** By id. */
  readonly #known = new Map<string, Known>();

  constructor(send: (tree: EndpointTree) => void) {
    this.#send = send;
  }

  /** Publishes what has changed in a project. Each step compares one endpoint. */
  *update({ endpoints, ...project }: ProjectNode): Steps {
    const before = this.#known.get(project.id);
    const now = new Map<string, Sent>();
    const changed: EndpointNode[] = [];
    for (const node of endpoints) {
      const known = before?.endpoints.get(node.id);
      const text = known?.node === node ? known.text : withoutPlaces(node);
      now.set(node.id, { node, text });
      if (known?.text !== text) changed.push(node);
      yield;
    }
    const text = withoutPlaces(project);
    const order = [...now.keys()];
    const isReordered = !before || !isDeepStrictEqual(order, [...before.endpoints.keys()]);
    this.#known.set(project.id, { text, endpoints: now });
    if (before?.text === text && changed.length === 0 && !isReordered) return;
    this.#publish([{ ...project, endpoints: changed, order: isReordered ? order : null }], []);
  }

  /** Publishes the removal of all projects but these. */
  keep(ids: ReadonlySet<string>): void {
    const removed = [...this.#known.keys()].filter((id) => !ids.has(id));
    for (const id of removed) this.#known.delete(id);
    if (removed.length > 0) this.#publish([], removed);
  }

  #publish(projects: ProjectChange[], removed: string[]): void {
    this.sent += 1;
    this.#send({ revision: this.sent, projects, removed });
  }
}

/** A node as JSON without ranges and line numbers, including those in messages, such as `worker.py:12`. */
function withoutPlaces(node: object): string {
  return JSON.stringify(node, (key, value: unknown) => {
    // Variables in `env` can have any of these names, so check the type too.
    if (key === 'line' && typeof value === 'number') return undefined;
    if ((key === 'range' || key === 'selectionRange') && typeof value === 'object') return undefined;
    return key === 'message' && typeof value === 'string' ? value.replace(/(\.\w+):\d+/g, '$1') : value;
  });
}
