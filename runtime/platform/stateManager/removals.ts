/** Removes endpoints by name, and environments and apps with everything in them. */
import type { PartRef } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import type { Keys } from '../auth/keys.ts';
import { type DeployedEndpoint, environmentKey } from '../endpoints.ts';
import { removeUnusedParts } from './maintenance.ts';
import type { PartPromises } from './partPromises.ts';
import type { Parts } from './parts.ts';
import { cleanUpRemoved } from './removeEndpoints.ts';
import type { RolloutContext } from './rolloutContext.ts';
import type { Underway } from './underway.ts';

export interface RemovalsContext extends RolloutContext {
  parts: Parts;
  promises: PartPromises;
  keys: Keys;
  underway: Underway;
}

export class Removals {
  readonly #context: RemovalsContext;

  constructor(context: RemovalsContext) {
    this.#context = context;
  }

  /**
   * Removes endpoints of an environment. Live endpoints belong to `toolkit dev` and are kept.
   *
   * @param names null: all.
   * @returns the names, sorted, once their workers are gone.
   * @throws ToolkitError APP_NOT_FOUND, ENVIRONMENT_NOT_FOUND, ENDPOINT_NOT_FOUND, DEPLOY_CONFLICT. Nothing
   * was removed then.
   */
  async undeploy(app: string, environment: string, names: string[] | null): Promise<string[]> {
    const { underway, endpoints, store, log } = this.#context;
    this.requireEnvironment(app, environment);
    return underway.exclusively(app, environment, async () => {
      const known = this.requireEnvironment(app, environment);
      const deployed = endpoints.persistent(app, environment);
      const removed = names === null ? deployed : this.#named(deployed, names, app, environment);
      if (removed.length === 0) return [];
      const build = removed.length === deployed.length ? 0 : known.build;
      const row = { ...known, build, revision: known.revision + 1 };
      await store.deployed.undeploy(
        row,
        removed.map((endpoint) => endpoint.id),
      );
      endpoints.setEnvironment(row);
      for (const endpoint of removed) endpoints.delete(endpoint.id);
      log.info({ environment: environmentKey(app, environment) }, 'undeploy');
      await cleanUpRemoved(this.#context, removed);
      return removed.map((endpoint) => endpoint.name);
    });
  }

  /** @throws ToolkitError APP_NOT_FOUND, ENVIRONMENT_NOT_FOUND, DEPLOY_CONFLICT. Nothing was removed then. */
  async deleteEnvironment(app: string, name: string): Promise<void> {
    this.requireEnvironment(app, name);
    await this.#context.underway.exclusively(app, name, async () => {
      this.requireEnvironment(app, name);
      await this.#delete(app, [name], false);
    });
  }

  /** @throws ToolkitError APP_NOT_FOUND, DEPLOY_CONFLICT. Nothing was removed then. */
  async deleteApp(app: string): Promise<void> {
    const { underway, endpoints } = this.#context;
    this.requireApp(app);
    const names = endpoints.environmentsOf(app).map((environment) => environment.name);
    await underway.ending(app, names, async () => {
      await this.#delete(app, names, true);
      endpoints.deleteApp(app);
    });
  }

  requireApp(app: string): void {
    const { endpoints } = this.#context;
    if (endpoints.hasApp(app)) return;
    const names = endpoints.apps();
    throw new ToolkitError('APP_NOT_FOUND', `There is no app "${app}".`, {
      hint:
        names.length > 0
          ? `Existing apps: ${names.join(', ')}.`
          : `Run "toolkit deploy" or "toolkit app create ${app}" to create it.`,
    });
  }

  /** The environment's row. */
  requireEnvironment(app: string, name: string) {
    this.requireApp(app);
    const { endpoints } = this.#context;
    const found = endpoints.environment(app, name);
    if (found) return found;
    const names = endpoints.environmentsOf(app).map((environment) => environment.name);
    throw new ToolkitError('ENVIRONMENT_NOT_FOUND', `The app "${app}" has no environment "${name}".`, {
      hint:
        names.length > 0
          ? `Existing environments: ${names.join(', ')}. Choose one with --env.`
          : `Run "toolkit deploy --env ${name}" or "toolkit env create ${name}" to create it.`,
    });
  }

  #named(
    deployed: DeployedEndpoint[],
    names: string[],
    app: string,
    environment: string,
  ): DeployedEndpoint[] {
    const missing = names.filter((name) => !deployed.some((endpoint) => endpoint.name === name));
    if (missing.length === 0) return deployed.filter((endpoint) => names.includes(endpoint.name));
    throw new ToolkitError(
      'ENDPOINT_NOT_FOUND',
      `Not deployed in ${environmentKey(app, environment)}: ${missing.join(', ')}; nothing was changed.`,
      {
        hint:
          deployed.length > 0
            ? `Deployed endpoints: ${deployed.map((endpoint) => endpoint.name).join(', ')}.`
            : 'Nothing is deployed there.',
      },
    );
  }

  /** Deletes environments of one app in one transaction, then what they left outside of the store. */
  async #delete(app: string, names: string[], withApp: boolean): Promise<void> {
    const { endpoints, store, keys, log } = this.#context;
    const removed = names.flatMap((name) => endpoints.of(app, name));
    const builds = (await store.builds.all()).filter(
      (build) => build.app === app && names.includes(build.environment),
    );
    const ids = removed.map((endpoint) => endpoint.id);
    if (withApp) await store.deployed.deleteApp(app, names, ids);
    else await store.deployed.deleteEnvironments(app, names, ids);
    for (const endpoint of removed) endpoints.delete(endpoint.id);
    for (const name of names) {
      endpoints.deleteEnvironment(app, name);
      await keys.revokeWithin(app, name);
    }
    log.info({ app, environments: names }, 'environments deleted');
    await cleanUpRemoved(this.#context, removed);
    const refs = [...removed.flatMap((endpoint) => endpoint.parts), ...builds.flatMap(partsOf)];
    await removeUnusedParts(this.#context, new Set(refs.map((part) => part.content)));
  }
}

function partsOf(build: { parts: string }): PartRef[] {
  return JSON.parse(build.parts) as PartRef[];
}
