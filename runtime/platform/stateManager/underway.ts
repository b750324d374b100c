/** Allows only one deploy or removal of an environment at a time. */
import type { AppSpec } from '../../contract/appSpec.ts';
import type { PartRef } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { environmentKey } from '../endpoints.ts';

/** The desired state of a running deploy; empty for a removal. */
export interface Wanted {
  endpoints: AppSpec;
  parts: PartRef[];
}

const NOTHING: Wanted = { endpoints: [], parts: [] };

export class Underway {
  readonly #wanted = new Map<string, Wanted>();
  /** Apps that are being deleted. */
  readonly #ending = new Set<string>();

  /** Whether any change is in progress. */
  get busy(): boolean {
    return this.#wanted.size > 0;
  }

  /**
   * Locks an environment for a change. The caller must release it.
   *
   * @throws ToolkitError DEPLOY_CONFLICT while another change of it is in progress.
   */
  claim(app: string, environment: string, wanted: Wanted = NOTHING): void {
    const place = environmentKey(app, environment);
    if (this.#ending.has(app)) throw conflict(`The app "${app}" is being deleted.`);
    if (this.#wanted.has(place)) throw conflict(`Another deploy or removal in ${place} is in progress.`);
    this.#wanted.set(place, wanted);
  }

  release(app: string, environment: string): void {
    this.#wanted.delete(environmentKey(app, environment));
  }

  /** Runs a change while the environment is locked. */
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
   * Runs the deletion of an app while it and all its environments are locked.
   *
   * @throws ToolkitError DEPLOY_CONFLICT while a change in one of them is in progress.
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

  /** The desired state of running deploys of other environments: environment and endpoints. */
  elsewhere(place: string): [string, AppSpec][] {
    return [...this.#wanted]
      .filter(([other]) => other !== place)
      .map(([other, wanted]) => [other, wanted.endpoints]);
  }
}

/** @param message A complete sentence, about a change that is in progress. */
function conflict(message: string): ToolkitError {
  return new ToolkitError('DEPLOY_CONFLICT', `${message} Nothing was changed.`, {
    hint: 'Wait until it has finished, then try again.',
  });
}
