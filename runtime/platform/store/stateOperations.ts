/** Statements over everything but jobs: facts, keys, environments, endpoints, builds, deployments, parts, workers. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type {
  BuildRow,
  BuildSummaryRow,
  DeploymentRow,
  EndpointRow,
  EnvironmentRow,
  KeyRow,
  PartRow,
  WorkerRow,
} from './rows.ts';

/** Prepares the statements; each operation runs inside the batch's transaction. */
export function stateOperations(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const putFact = sql(
    'INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const putKey = upsert(database, 'keys', [
    'id',
    'hash',
    'scope',
    'name',
    'endpoints',
    'app',
    'environment',
    'created',
    'run',
  ]);
  const putEnvironment = upsert(database, 'environments', ['app', 'name', 'build', 'revision', 'last_build']);
  const putEndpoint = sql(`
    INSERT INTO endpoints (id, app, environment, name, port, build, generation, run, spec, secrets, parts)
    VALUES (:id, :app, :environment, :name, :port, :build, :generation, :run, :spec, :secrets, :parts)
    ON CONFLICT (id) DO UPDATE SET port = excluded.port, build = excluded.build, generation = excluded.generation,
      spec = excluded.spec, secrets = excluded.secrets, parts = excluded.parts`);
  const putBuild = upsert(database, 'builds', ['app', 'environment', 'number', 'spec', 'parts', 'created']);
  const putDeployment = upsert(database, 'deployments', [
    'id',
    'app',
    'environment',
    'state',
    'body',
    'created',
  ]);
  const putPart = upsert(database, 'parts', ['content', 'sha256', 'size', 'stored']);
  const putWorker = upsert(database, 'workers', ['id', 'endpoint', 'body']);
  const findDeployment = sql('SELECT * FROM deployments WHERE id = ?');

  return {
    factAll: () => rows<{ name: string; value: string }>(database, 'SELECT * FROM facts'),
    factPut: (name: string, value: string): void => void putFact.run(name, value),

    keyAll: () => rows<KeyRow>(database, 'SELECT * FROM keys ORDER BY created'),
    keyPut: (key: KeyRow): void => void putKey.run(named(key)),
    keyDelete: (id: string): void => void sql('DELETE FROM keys WHERE id = ?').run(id),

    appAll: () => rows<{ name: string }>(database, 'SELECT name FROM apps ORDER BY name'),
    appPut: (name: string): void => void sql('INSERT OR IGNORE INTO apps VALUES (?)').run(name),
    appDelete: (name: string): void => void sql('DELETE FROM apps WHERE name = ?').run(name),

    environmentAll: () => rows<EnvironmentRow>(database, 'SELECT * FROM environments ORDER BY app, name'),
    environmentPut: (row: EnvironmentRow): void => void putEnvironment.run(named(row)),

    /** With its builds and deployments; endpoints are removed by themselves. */
    environmentDelete: (app: string, name: string): void => {
      sql('DELETE FROM environments WHERE app = ? AND name = ?').run(app, name);
      for (const table of ['builds', 'deployments']) {
        sql(`DELETE FROM ${table} WHERE app = ? AND environment = ?`).run(app, name);
      }
    },

    endpointAll: () => rows<EndpointRow>(database, 'SELECT * FROM endpoints ORDER BY name'),
    endpointPut: ({ completed: _c, failed: _f, retried: _r, ...row }: EndpointRow): void =>
      void putEndpoint.run(named(row)),
    endpointDelete: (id: string): void => {
      sql('DELETE FROM endpoints WHERE id = ?').run(id);
      sql('DELETE FROM job_chunks WHERE job IN (SELECT id FROM jobs WHERE endpoint = ?)').run(id);
      sql('DELETE FROM jobs WHERE endpoint = ?').run(id);
    },

    buildAll: () => rows<BuildRow>(database, 'SELECT * FROM builds ORDER BY app, environment, number'),
    /** The builds of one environment, newest first. */
    buildHistory: (app: string, environment: string) =>
      rows<BuildSummaryRow>(
        database,
        `SELECT number, created, (
           SELECT json_group_array(name) FROM (
             SELECT json_extract(value, '$.name') AS name FROM json_each(builds.spec) ORDER BY name
           )
         ) AS endpoints FROM builds WHERE app = ? AND environment = ? ORDER BY number DESC`,
        app,
        environment,
      ),
    buildPut: (row: BuildRow): void => void putBuild.run(named(row)),

    deploymentPut: (row: DeploymentRow): void => void putDeployment.run(named(row)),
    deploymentFind: (id: string): DeploymentRow | null => first<DeploymentRow>(findDeployment.get(id)),
    deploymentUnfinished: () =>
      rows<DeploymentRow>(database, `SELECT * FROM deployments WHERE state = 'running'`),

    partAll: () => rows<PartRow>(database, 'SELECT * FROM parts'),
    partPut: (row: PartRow): void => void putPart.run(named(row)),
    partDelete: (content: string): void => void sql('DELETE FROM parts WHERE content = ?').run(content),

    workerAll: () => rows<WorkerRow>(database, 'SELECT * FROM workers'),
    workerPut: (row: WorkerRow): void => void putWorker.run(named(row)),
    workerDelete: (id: string): void => void sql('DELETE FROM workers WHERE id = ?').run(id),
  };
}

function upsert(database: DatabaseSync, table: string, columns: string[]) {
  return database.prepare(
    `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`,
  );
}

/** The rows of a query. The driver's row type knows no columns: the queries beside the calls are the fact. */
export function rows<Row>(database: DatabaseSync, text: string, ...values: SQLInputValue[]): Row[] {
  return database.prepare(text).all(...values) as Row[];
}

/** One row, null when there is none. */
export function first<Row>(row: unknown): Row | null {
  return row === undefined ? null : (row as Row);
}

/** A row as named parameters; rows are flat objects of text, numbers and nulls. */
export function named(row: object): Record<string, SQLInputValue> {
  return { ...row } as Record<string, SQLInputValue>;
}
