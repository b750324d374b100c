/** Running and ended deploys. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DeploymentRow } from '../rows.ts';
import { first, named, rows, upsert } from '../statements.ts';

export class Deployments {
  readonly #put: StatementSync;
  readonly #find: StatementSync;
  readonly #unfinished: StatementSync;

  constructor(database: DatabaseSync) {
    this.#put = putDeployment(database);
    this.#find = database.prepare('SELECT * FROM deployments WHERE id = ?');
    this.#unfinished = database.prepare(`SELECT * FROM deployments WHERE state = 'running'`);
  }

  put(row: DeploymentRow): void {
    this.#put.run(named(row));
  }

  find(id: string): DeploymentRow | null {
    return first(this.#find.get(id));
  }

  unfinished(): DeploymentRow[] {
    return rows(this.#unfinished);
  }
}

export function putDeployment(database: DatabaseSync): StatementSync {
  return upsert(database, 'deployments', ['id', 'app', 'environment', 'state', 'body', 'created']);
}
