/** What is being changed: one deploy or removal of an environment at a time. */
import type { AppSpec } from '../../contract/appSpec.ts';
import type { PartRef } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { environmentKey } from '../endpoints.ts';

/** What a running deploy will make of its environment; nothing for a removal. */
export interface Wanted {
  endpoints: AppSpec;
  parts: PartRef[];
}

const NOTHING: Wanted = { endpoints: [], parts: [] };

export class Underway {
  readonly #wanted = new Map<string, Wanted>();
  /** Apps that are being deleted. */
  readonly #ending = new Set<string>();

  /** Whether anything is under way. */
  get busy(): boolean {
    return this.#wanted.size > 0;
  }

  /**
   * Takes an environment for a change; to be released.
   *
   * @throws ToolkitError DEPLOY_CONFLICT while another change of it is under way.
   */
  claim(app: string, environment: string, wanted: Wanted = NOTHING): void {
    const place = environmentKey(app, environment);
    if (this.#ending.has(app)) throw conflict(`The app "${app}" is being deleted.`);
    if (this.#wanted.has(place)) throw conflict(`Another deploy or removal in ${place} is under way.`);
    this.#wanted.set(place, wanted);
  }

  release(app: string, environment: string): void {
    this.#wanted.delete(environmentKey(app, environment));
  }

  /** Does a change of an environment that nobody else changes meanwhile. */
  async exclusively<Result>(
    app: string,
    environment: string,
    change: () => Promise<Result>,
  ): Promise<Result> {
    this.claim(app, environment);
    try {
      return await change();
    } finally {
      this.release(app, environment);
    }
  }

  /**
   * Takes a whole app, with the environments that it has.
   *
   * @throws ToolkitError DEPLOY_CONFLICT while a change in one of them is under way.
   */
  async ending(app: string, environments: string[], change: () => Promise<void>): Promise<void> {
    const claimed: string[] = [];
    try {
      for (const environment of environments) {
        this.claim(app, environment);
        claimed.push(environment);
      }
      this.#ending.add(app);
      await change();
    } finally {
      this.#ending.delete(app);
      for (const environment of claimed) this.release(app, environment);
    }
  }

  /** The parts that running deploys need. */
  parts(): PartRef[] {
    return [...this.#wanted.values()].flatMap((wanted) => wanted.parts);
  }

  /** What the running deploys of other environments want: environment and endpoints. */
  elsewhere(place: string): [string, AppSpec][] {
    return [...this.#wanted]
      .filter(([other]) => other !== place)
      .map(([other, wanted]) => [other, wanted.endpoints]);
  }
}

/** @param message A whole sentence. */
export function conflict(message: string): ToolkitError {
  return new ToolkitError('DEPLOY_CONFLICT', `${message} Nothing was changed.`, {
    hint: 'Wait until it is done, then try again.',
  });
}
