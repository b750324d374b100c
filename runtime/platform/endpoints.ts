/** The deployed apps, environments and endpoints, held in memory as in the store. */

import type { EndpointSpec } from '../contract/appSpec.ts';
import type { PartRef } from '../contract/deployment.ts';
import type { EndpointRow, EnvironmentRow } from './store/rows.ts';
import type { Store } from './store/store.ts';

/** An endpoint as deployed by one build of its environment. */
export interface DeployedEndpoint {
  id: string;
  app: string;
  environment: string;
  name: string;
  /** The port of a load-balanced endpoint; null for a queue-based one. */
  port: number | null;
  /** The build that last changed it. */
  build: number;
  /** The build that its workers run. Changes of settings that need no new workers do not change it. */
  generation: number;
  /** The run of `toolkit dev` that a live endpoint belongs to; null for a persistent one. */
  run: string | null;
  spec: EndpointSpec;
  /** Variable → value, filled in during the deploy. */
  secrets: Record<string, string>;
  /** The parts that its workers unpack, in order. */
  parts: PartRef[];
}

export class Endpoints {
  readonly #apps = new Set<string>();
  readonly #environments = new Map<string, EnvironmentRow>();
  readonly #endpoints = new Map<string, DeployedEndpoint>();

  private constructor() {}

  static async load(store: Store): Promise<Endpoints> {
    const endpoints = new Endpoints();
    const deployed = await store.deployed.all();
    for (const { name } of deployed.apps) endpoints.addApp(name);
    for (const row of deployed.environments) endpoints.setEnvironment(row);
    for (const row of deployed.endpoints) endpoints.put(decodeRow(row));
    return endpoints;
  }

  /** Names of the apps, sorted. */
  apps(): string[] {
    return [...this.#apps].toSorted();
  }

  hasApp(name: string): boolean {
    return this.#apps.has(name);
  }

  addApp(name: string): void {
    this.#apps.add(name);
  }

  deleteApp(name: string): void {
    this.#apps.delete(name);
  }

  environment(app: string, name: string): EnvironmentRow | null {
    return this.#environments.get(environmentKey(app, name)) ?? null;
  }

  /** The environments of one app, by name. */
  environmentsOf(app: string): EnvironmentRow[] {
    return [...this.#environments.values()]
      .filter((environment) => environment.app === app)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  deleteEnvironment(app: string, name: string): void {
    this.#environments.delete(environmentKey(app, name));
  }

  setEnvironment(row: EnvironmentRow): void {
    this.#environments.set(environmentKey(row.app, row.name), row);
  }

  get(id: string): DeployedEndpoint | null {
    return this.#endpoints.get(id) ?? null;
  }

  /** The persistent endpoint with this name. */
  find(app: string, environment: string, name: string): DeployedEndpoint | null {
    return this.persistent(app, environment).find((endpoint) => endpoint.name === name) ?? null;
  }

  /** The endpoints of one environment without live ones, by name. */
  persistent(app: string, environment: string): DeployedEndpoint[] {
    return this.of(app, environment).filter(({ run }) => run === null);
  }

  /** The live endpoints of one run of `toolkit dev`, by name. */
  ofRun(run: string): DeployedEndpoint[] {
    return this.all()
      .filter((endpoint) => endpoint.run === run)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The endpoints of one environment including live ones, by name. */
  of(app: string, environment: string): DeployedEndpoint[] {
    return this.all()
      .filter((endpoint) => endpoint.app === app && endpoint.environment === environment)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  all(): DeployedEndpoint[] {
    return [...this.#endpoints.values()];
  }

  put(endpoint: DeployedEndpoint): void {
    this.#endpoints.set(endpoint.id, endpoint);
  }

  delete(id: string): void {
    this.#endpoints.delete(id);
  }
}

/** A key for an environment. Names contain no slash. */
export function environmentKey(app: string, environment: string): string {
  return `${app}/${environment}`;
}

export function encodeEndpoint(endpoint: DeployedEndpoint): EndpointRow {
  const { spec, secrets, parts, run, ...same } = endpoint;
  return {
    ...same,
    run: run ?? '',
    spec: JSON.stringify(spec),
    secrets: JSON.stringify(secrets),
    parts: JSON.stringify(parts),
  };
}

function decodeRow(row: EndpointRow): DeployedEndpoint {
  const { id, app, environment, name, port, build, generation } = row;
  return {
    id,
    app,
    environment,
    name,
    port,
    build,
    generation,
    run: row.run === '' ? null : row.run,
    spec: JSON.parse(row.spec) as EndpointSpec,
    secrets: JSON.parse(row.secrets) as Record<string, string>,
    parts: JSON.parse(row.parts) as PartRef[],
  };
}
