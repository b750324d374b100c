/**
 * Adds builds and deployments to the history of their environment, and deletes the oldest above the limit.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { PLATFORM_LIMITS } from '../../../contract/limits.ts';
import type { BuildRow, DeploymentRow } from '../rows.ts';
import { named, upsert } from '../statements.ts';
import { putDeployment } from './deployments.ts';

/**
 * Most rows that one addition deletes. An older store can contain thousands, and other calls have to wait.
 */
const SLICE = 50;

export class History {
  readonly #putBuild: StatementSync;
  readonly #putDeployment: StatementSync;
  readonly #forgetBuilds: StatementSync;
  readonly #forgetDeployments: StatementSync;

  constructor(database: DatabaseSync) {
    const beyond = (limit: number) => `LIMIT ${SLICE} OFFSET ${limit}`;
    this.#putBuild = upsert(database, 'builds', ['app', 'environment', 'number', 'spec', 'parts', 'created']);
    this.#putDeployment = putDeployment(database);
    this.#forgetBuilds = database.prepare(`
      DELETE FROM builds WHERE rowid IN (SELECT rowid FROM builds WHERE app = :app AND environment = :environment
        ORDER BY number DESC ${beyond(PLATFORM_LIMITS.keptBuilds)})`);
    // Replacing a row, as the end of a deploy does, gives it the highest rowid.
    this.#forgetDeployments = database.prepare(`
      DELETE FROM deployments WHERE state <> 'running' AND rowid IN (
        SELECT rowid FROM deployments WHERE app = :app AND environment = :environment
        ORDER BY rowid DESC ${beyond(PLATFORM_LIMITS.keptDeployments)})`);
  }

  /** Adds the build that now serves, which is the newest of its environment. */
  addBuild(build: BuildRow): void {
    this.#putBuild.run(named(build));
    this.#forgetBuilds.run({ app: build.app, environment: build.environment });
  }

  addDeployment(deployment: DeploymentRow): void {
    this.#putDeployment.run(named(deployment));
    this.#forgetDeployments.run({ app: deployment.app, environment: deployment.environment });
  }
}
