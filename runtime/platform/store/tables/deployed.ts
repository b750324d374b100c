/** The deployed apps, environments and endpoints. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { BuildRow, DeploymentRow, EndpointRow, EnvironmentRow } from '../rows.ts';
import { named, rows, upsert } from '../statements.ts';
import { History } from './history.ts';

/** The state that a proven deploy switches to. */
export interface Switch {
  changed: EndpointRow[];
  /** Ids. */
  removed: string[];
  /**
   * The environment's next state and its new build; null for a live endpoint, which is not part of a build.
   */
  history: { environment: EnvironmentRow; build: BuildRow; deployment: DeploymentRow } | null;
}

export class Deployed {
  readonly #all: { apps: StatementSync; environments: StatementSync; endpoints: StatementSync };
  readonly #putApp: StatementSync;
  readonly #putEnvironment: StatementSync;
  readonly #putEndpoint: StatementSync;
  readonly #history: History;
  readonly #deleteApp: StatementSync;
  /** The statements that delete an environment: its row and its history. */
  readonly #deleteEnvironment: StatementSync[];
  readonly #deleteEndpoint: StatementSync;

  constructor(database: DatabaseSync) {
    const sql = (text: string) => database.prepare(text);
    this.#all = {
      apps: sql('SELECT name FROM apps ORDER BY name'),
      environments: sql('SELECT * FROM environments ORDER BY app, name'),
      endpoints: sql(`
        SELECT id, app, environment, name, port, build, generation, run, spec, secrets, parts FROM endpoints ORDER BY name`),
    };
    this.#putApp = sql('INSERT OR IGNORE INTO apps VALUES (?)');
    this.#putEnvironment = upsert(database, 'environments', [
      'app',
      'name',
      'build',
      'revision',
      'last_build',
    ]);
    // The counters are kept.
    this.#putEndpoint = sql(`
      INSERT INTO endpoints (id, app, environment, name, port, build, generation, run, spec, secrets, parts)
      VALUES (:id, :app, :environment, :name, :port, :build, :generation, :run, :spec, :secrets, :parts)
      ON CONFLICT (id) DO UPDATE SET port = excluded.port, build = excluded.build, generation = excluded.generation,
        spec = excluded.spec, secrets = excluded.secrets, parts = excluded.parts`);
    this.#history = new History(database);
    this.#deleteApp = sql('DELETE FROM apps WHERE name = ?');
    this.#deleteEnvironment = [
      sql('DELETE FROM environments WHERE app = ? AND name = ?'),
      sql('DELETE FROM builds WHERE app = ? AND environment = ?'),
      sql('DELETE FROM deployments WHERE app = ? AND environment = ?'),
    ];
    this.#deleteEndpoint = sql('DELETE FROM endpoints WHERE id = ?');
  }

  all(): { apps: { name: string }[]; environments: EnvironmentRow[]; endpoints: EndpointRow[] } {
    const { apps, environments, endpoints } = this.#all;
    return { apps: rows(apps), environments: rows(environments), endpoints: rows(endpoints) };
  }

  createApp(name: string): void {
    this.#putApp.run(name);
  }

  /** Creates the app too if it is missing. */
  createEnvironment(environment: EnvironmentRow): void {
    this.#putApp.run(environment.app);
    this.#putEnvironment.run(named(environment));
  }

  /** A deploy begins. Its number is used up even if it fails. */
  begin(environment: EnvironmentRow, deployment: DeploymentRow): void {
    this.createEnvironment(environment);
    this.#history.addDeployment(deployment);
  }

  switchTo({ changed, removed, history }: Switch): void {
    for (const endpoint of changed) this.putEndpoint(endpoint);
    this.deleteEndpoints(removed);
    if (!history) return;
    this.#putEnvironment.run(named(history.environment));
    this.#history.addBuild(history.build);
    this.#history.addDeployment(history.deployment);
  }

  putEndpoint(row: EndpointRow): void {
    this.#putEndpoint.run(named(row));
  }

  deleteEndpoints(ids: readonly string[]): void {
    for (const id of ids) this.#deleteEndpoint.run(id);
  }

  undeploy(environment: EnvironmentRow, endpoints: readonly string[]): void {
    this.#putEnvironment.run(named(environment));
    this.deleteEndpoints(endpoints);
  }

  /** Deletes their builds, deployments and endpoints too. */
  deleteEnvironments(app: string, names: readonly string[], endpoints: readonly string[]): void {
    this.deleteEndpoints(endpoints);
    for (const name of names) for (const statement of this.#deleteEnvironment) statement.run(app, name);
  }

  /** Deletes everything in it too. */
  deleteApp(app: string, environments: readonly string[], endpoints: readonly string[]): void {
    this.deleteEnvironments(app, environments, endpoints);
    this.#deleteApp.run(app);
  }
}
