/** The store's tables. Opening an older store updates it. A newer store is refused. */
import type { DatabaseSync } from 'node:sqlite';

/** Thrown in the thread if the store was written by a newer toolkit. */
export class NewerStore extends Error {
  override readonly name = 'NewerStore';
}

/** The tables of the first version. The changes below update them. */
const TABLES = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE keys (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, name TEXT, endpoints TEXT,
    app TEXT, environment TEXT, created TEXT NOT NULL
  ) STRICT;
  CREATE TABLE environments (
    app TEXT NOT NULL, name TEXT NOT NULL, build INTEGER NOT NULL, revision INTEGER NOT NULL,
    last_build INTEGER NOT NULL, PRIMARY KEY (app, name)
  ) STRICT;
  CREATE TABLE endpoints (
    id TEXT PRIMARY KEY, app TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL, port INTEGER,
    build INTEGER NOT NULL, generation INTEGER NOT NULL, live INTEGER NOT NULL, spec TEXT NOT NULL,
    secrets TEXT NOT NULL, parts TEXT NOT NULL,
    completed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, retried INTEGER NOT NULL DEFAULT 0,
    UNIQUE (app, environment, name)
  ) STRICT;
  CREATE TABLE builds (
    app TEXT NOT NULL, environment TEXT NOT NULL, number INTEGER NOT NULL, spec TEXT NOT NULL,
    parts TEXT NOT NULL, created TEXT NOT NULL, PRIMARY KEY (app, environment, number)
  ) STRICT;
  CREATE TABLE deployments (
    id TEXT PRIMARY KEY, app TEXT NOT NULL, environment TEXT NOT NULL, state TEXT NOT NULL,
    body TEXT NOT NULL, created TEXT NOT NULL
  ) STRICT;
  CREATE TABLE parts (
    content TEXT PRIMARY KEY, sha256 TEXT NOT NULL, size INTEGER NOT NULL, stored INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE workers (id TEXT PRIMARY KEY, endpoint TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, endpoint TEXT NOT NULL, state TEXT NOT NULL,
    input TEXT, execution_timeout INTEGER, ttl INTEGER NOT NULL, retention INTEGER NOT NULL,
    created INTEGER NOT NULL, started INTEGER, finished INTEGER, worker TEXT,
    attempt INTEGER NOT NULL DEFAULT 0, retries INTEGER NOT NULL DEFAULT 0,
    output TEXT, error TEXT, idempotency_key TEXT, request_hash TEXT
  ) STRICT;
  CREATE INDEX jobs_live ON jobs (seq) WHERE state IN ('IN_QUEUE', 'IN_PROGRESS');
  CREATE INDEX jobs_finished ON jobs (finished) WHERE finished IS NOT NULL;
  CREATE UNIQUE INDEX jobs_idempotency ON jobs (endpoint, idempotency_key) WHERE idempotency_key IS NOT NULL;
  CREATE TABLE job_chunks (
    job TEXT NOT NULL, position INTEGER NOT NULL, output TEXT NOT NULL, PRIMARY KEY (job, position)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * The steps from one version to the next. A released step never changes. A store's version is the number of
 * applied steps.
 */
const CHANGES = [
  TABLES,
  `
  CREATE TABLE apps (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  INSERT INTO apps SELECT DISTINCT app FROM environments;
  ALTER TABLE jobs ADD COLUMN low_priority INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN webhook TEXT;
  ALTER TABLE jobs ADD COLUMN webhook_tries INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN webhook_due INTEGER;
  CREATE INDEX jobs_webhook ON jobs (webhook_due) WHERE webhook_due IS NOT NULL;
  ALTER TABLE job_chunks ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
  `,
  // Two runs of dev can have live endpoints of equal names. SQLite cannot change a constraint in place.
  `
  CREATE TABLE endpoints_of_runs (
    id TEXT PRIMARY KEY, app TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL, port INTEGER,
    build INTEGER NOT NULL, generation INTEGER NOT NULL, run TEXT NOT NULL, spec TEXT NOT NULL,
    secrets TEXT NOT NULL, parts TEXT NOT NULL,
    completed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, retried INTEGER NOT NULL DEFAULT 0,
    UNIQUE (app, environment, run, name)
  ) STRICT;
  INSERT INTO endpoints_of_runs SELECT id, app, environment, name, port, build, generation, '', spec, secrets, parts,
    completed, failed, retried FROM endpoints WHERE live = 0;
  DROP TABLE endpoints;
  ALTER TABLE endpoints_of_runs RENAME TO endpoints;
  ALTER TABLE keys ADD COLUMN run TEXT;
  `,
  // Columns that every change of a job's state uses come first. Inputs have a table of their own.
  `
  CREATE TABLE job_inputs (seq INTEGER PRIMARY KEY, input TEXT NOT NULL) STRICT;
  INSERT INTO job_inputs SELECT seq, input FROM jobs WHERE input IS NOT NULL;
  CREATE TABLE jobs_in_order (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, endpoint TEXT NOT NULL, state TEXT NOT NULL,
    rank INTEGER NOT NULL, low_priority INTEGER NOT NULL, bytes INTEGER NOT NULL,
    execution_timeout INTEGER, ttl INTEGER NOT NULL, retention INTEGER NOT NULL,
    created INTEGER NOT NULL, queued INTEGER NOT NULL, started INTEGER, finished INTEGER,
    worker TEXT, attempt INTEGER NOT NULL DEFAULT 0, retries INTEGER NOT NULL DEFAULT 0,
    lease INTEGER, deadline INTEGER, due INTEGER,
    webhook TEXT, webhook_tries INTEGER NOT NULL DEFAULT 0, webhook_due INTEGER,
    idempotency_key TEXT, request_hash TEXT, error TEXT, output TEXT
  ) STRICT;
  INSERT INTO jobs_in_order
    SELECT seq, id, endpoint, state, iif(retries > 0, 0, 1 + low_priority), low_priority,
      coalesce(octet_length(input), 0), execution_timeout, ttl, retention, created, created, started, finished, worker,
      attempt, retries, NULL, iif(state = 'IN_PROGRESS', coalesce(started, created) + coalesce(execution_timeout, 604800000), NULL),
      iif(finished IS NULL, iif(retries = 0, created + ttl, NULL), finished + retention),
      webhook, webhook_tries, webhook_due, idempotency_key, request_hash, error, output FROM jobs;
  DROP TABLE jobs;
  ALTER TABLE jobs_in_order RENAME TO jobs;
  CREATE UNIQUE INDEX jobs_idempotency ON jobs (endpoint, idempotency_key) WHERE idempotency_key IS NOT NULL;
  CREATE INDEX jobs_waiting ON jobs (endpoint, rank, seq) WHERE state = 'IN_QUEUE';
  CREATE INDEX jobs_held ON jobs (endpoint, worker) WHERE state = 'IN_PROGRESS';
  CREATE INDEX jobs_due ON jobs (due) WHERE due IS NOT NULL;
  CREATE INDEX jobs_webhook ON jobs (webhook_due) WHERE webhook_due IS NOT NULL;
  `,
  // A short input is in the row of its job, which saves writing a second table. Only long ones are in
  // job_inputs.
  'ALTER TABLE jobs ADD COLUMN input TEXT;',
];

/** A store with a higher version belongs to a newer toolkit. */
const STORE_VERSION = CHANGES.length;

/**
 * Creates or updates the tables of a store.
 *
 * @throws NewerStore if a newer toolkit wrote it.
 */
export function openSchema(database: DatabaseSync): void {
  const row = database.prepare('PRAGMA user_version').get();
  const version = Number(row?.['user_version'] ?? 0);
  if (version > STORE_VERSION)
    throw new NewerStore(`The store has version ${version}; this toolkit supports up to ${STORE_VERSION}.`);
  if (version === STORE_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  for (const change of CHANGES.slice(version)) database.exec(change);
  database.exec(`PRAGMA user_version = ${STORE_VERSION}`);
  database.exec('COMMIT');
}
