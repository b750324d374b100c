/** Jobs and what they stream. */
import type { DatabaseSync } from 'node:sqlite';
import type { IdempotentJobRow, JobRow, LiveJobRow, NewJobRow } from '../rows.ts';
import { first, named, rows } from '../statements.ts';

/** The columns of a job that has not ended. */
export const LIVE_COLUMNS =
  'id, endpoint, state, execution_timeout, ttl, low_priority, webhook, created, started, worker, attempt, retries';

/** What ends a job; `at` in milliseconds since 1970. */
export interface JobEnd {
  id: string;
  endpoint: string;
  state: 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  /** JSON text; null when there is none. */
  output: string | null;
  error: string | null;
  at: number;
  /** Take the output from the streamed chunks. */
  fromChunks: boolean;
}

export class JobRows {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  insert(job: NewJobRow): void {
    this.#statements.insert.run(named(job));
  }

  find(id: string, endpoint: string): JobRow | null {
    return first(this.#statements.find.get(id, endpoint));
  }

  findIdempotent(endpoint: string, key: string): IdempotentJobRow | null {
    return first(this.#statements.findIdempotent.get(endpoint, key));
  }

  /** The job's input as JSON text. */
  input(id: string): string | null {
    return first<{ input: string | null }>(this.#statements.input.get(id))?.input ?? null;
  }

  /** Jobs that have not ended, oldest first. */
  live(): LiveJobRow[] {
    return rows(this.#statements.live);
  }

  take(id: string, worker: string, attempt: number, at: number): void {
    this.#statements.take.run(worker, attempt, at, id);
  }

  requeue(id: string, endpoint: string, retries: number, counted: boolean): void {
    this.#statements.requeue.run(retries, id);
    this.#statements.dropChunks.run(id);
    if (counted) this.#statements.countRetry.run(endpoint);
  }

  /** Adds what a generator yielded. */
  chunk(id: string, output: string): void {
    this.#statements.addChunk.run(id, output);
  }

  /** What was yielded and nobody was told yet, as JSON texts; told now. */
  drainChunks(id: string): string[] {
    const outputs = this.#statements.untold.all(id).map((row) => String(row['output']));
    if (outputs.length > 0) this.#statements.markTold.run(id);
    return outputs;
  }

  /** A job that failed or timed out waits again from `at` on; false when it did neither, or its input is forgotten. */
  retry(id: string, at: number): boolean {
    if (this.#statements.retry.run(at, id).changes === 0) return false;
    this.#statements.dropChunks.run(id);
    return true;
  }

  /** Ends a job and tells its row; null when it had ended before. */
  finish({ fromChunks, endpoint, ...end }: JobEnd): JobRow | null {
    const { chunks, finish, dropTold, count } = this.#statements;
    const streamed = chunks.all(end.id).map((row) => String(row['output']));
    const output = fromChunks && end.output === null ? `[${streamed.join(',')}]` : end.output;
    if (finish.run(named({ ...end, output })).changes === 0) return null;
    // What the client's stream has not read yet is told after the end.
    dropTold.run(end.id);
    if (end.state === 'COMPLETED' || end.state === 'FAILED') count[end.state].run(endpoint);
    return this.find(end.id, endpoint);
  }

  /** Forgets results past their retention; rows with an idempotency key keep id and state for its time. */
  forget(now: number, idempotencyRetention: number): void {
    const sql = (text: string) => this.#database.prepare(text);
    const expired = 'finished IS NOT NULL AND finished + retention < ? AND webhook_due IS NULL';
    sql(`DELETE FROM job_chunks WHERE job IN (SELECT id FROM jobs WHERE ${expired})`).run(now);
    sql(`DELETE FROM jobs WHERE ${expired} AND (idempotency_key IS NULL OR created + ? < ?)`).run(
      now,
      idempotencyRetention,
      now,
    );
    sql(
      `UPDATE jobs SET input = NULL, output = NULL, error = 'result expired'
       WHERE ${expired} AND input IS NOT NULL`,
    ).run(now);
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    insert: sql(`
      INSERT INTO jobs (id, endpoint, state, input, execution_timeout, ttl, low_priority, webhook, retention, created,
        idempotency_key, request_hash)
      VALUES (:id, :endpoint, 'IN_QUEUE', :input, :execution_timeout, :ttl, :low_priority, :webhook, :retention, :created,
        :idempotency_key, :request_hash)`),
    find: sql(`SELECT ${LIVE_COLUMNS}, finished, output, error FROM jobs WHERE id = ? AND endpoint = ?`),
    findIdempotent: sql('SELECT id, request_hash FROM jobs WHERE endpoint = ? AND idempotency_key = ?'),
    input: sql('SELECT input FROM jobs WHERE id = ?'),
    live: sql(`SELECT ${LIVE_COLUMNS} FROM jobs WHERE state IN ('IN_QUEUE', 'IN_PROGRESS') ORDER BY seq`),
    take: sql(
      `UPDATE jobs SET state = 'IN_PROGRESS', worker = ?, attempt = ?, started = ? WHERE id = ? AND finished IS NULL`,
    ),
    requeue: sql(
      `UPDATE jobs SET state = 'IN_QUEUE', worker = NULL, started = NULL, retries = ? WHERE id = ? AND finished IS NULL`,
    ),
    dropChunks: sql('DELETE FROM job_chunks WHERE job = ?'),
    addChunk: sql(`
      INSERT INTO job_chunks (job, position, output)
      VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM job_chunks WHERE job = ?1), ?2)`),
    chunks: sql('SELECT output FROM job_chunks WHERE job = ? ORDER BY position'),
    untold: sql('SELECT output FROM job_chunks WHERE job = ? AND told = 0 ORDER BY position'),
    markTold: sql('UPDATE job_chunks SET told = 1 WHERE job = ? AND told = 0'),
    dropTold: sql('DELETE FROM job_chunks WHERE job = ? AND told = 1'),
    retry: sql(`
      UPDATE jobs SET state = 'IN_QUEUE', created = ?, started = NULL, finished = NULL, worker = NULL, output = NULL,
        error = NULL, retries = 0, webhook_tries = 0, webhook_due = NULL
      WHERE id = ? AND state IN ('FAILED', 'TIMED_OUT') AND input IS NOT NULL`),
    finish: sql(`
      UPDATE jobs SET state = :state, output = :output, error = :error, finished = :at,
        webhook_due = CASE WHEN webhook IS NULL THEN NULL ELSE :at END
      WHERE id = :id AND finished IS NULL`),
    count: {
      COMPLETED: sql('UPDATE endpoints SET completed = completed + 1 WHERE id = ?'),
      FAILED: sql('UPDATE endpoints SET failed = failed + 1 WHERE id = ?'),
    },
    countRetry: sql('UPDATE endpoints SET retried = retried + 1 WHERE id = ?'),
  };
}
