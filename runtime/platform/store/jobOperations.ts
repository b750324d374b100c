/** Statements over jobs and their streamed chunks. */
import type { DatabaseSync } from 'node:sqlite';
import type { IdempotentJobRow, JobRow, LiveJobRow, NewJobRow, WebhookRow } from './rows.ts';
import { first, named, rows } from './stateOperations.ts';

const LIVE =
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

/** Prepares the statements; each operation runs inside the batch's transaction. */
export function jobOperations(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const insert = sql(`
    INSERT INTO jobs (id, endpoint, state, input, execution_timeout, ttl, low_priority, webhook, retention, created,
      idempotency_key, request_hash)
    VALUES (:id, :endpoint, 'IN_QUEUE', :input, :execution_timeout, :ttl, :low_priority, :webhook, :retention, :created,
      :idempotency_key, :request_hash)`);
  const find = sql(`SELECT ${LIVE}, finished, output, error FROM jobs WHERE id = ? AND endpoint = ?`);
  const findIdempotent = sql('SELECT id, request_hash FROM jobs WHERE endpoint = ? AND idempotency_key = ?');
  const input = sql('SELECT input FROM jobs WHERE id = ?');
  const take = sql(
    `UPDATE jobs SET state = 'IN_PROGRESS', worker = ?, attempt = ?, started = ? WHERE id = ? AND finished IS NULL`,
  );
  const requeue = sql(
    `UPDATE jobs SET state = 'IN_QUEUE', worker = NULL, started = NULL, retries = ? WHERE id = ? AND finished IS NULL`,
  );
  const dropChunks = sql('DELETE FROM job_chunks WHERE job = ?');
  const addChunk = sql(`
    INSERT INTO job_chunks (job, position, output)
    VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM job_chunks WHERE job = ?1), ?2)`);
  const chunks = sql('SELECT output FROM job_chunks WHERE job = ? ORDER BY position');
  const untold = sql('SELECT output FROM job_chunks WHERE job = ? AND told = 0 ORDER BY position');
  const markTold = sql('UPDATE job_chunks SET told = 1 WHERE job = ? AND told = 0');
  const dropTold = sql('DELETE FROM job_chunks WHERE job = ? AND told = 1');
  const retry = sql(`
    UPDATE jobs SET state = 'IN_QUEUE', created = ?, started = NULL, finished = NULL, worker = NULL, output = NULL,
      error = NULL, retries = 0, webhook_tries = 0, webhook_due = NULL
    WHERE id = ? AND state IN ('FAILED', 'TIMED_OUT') AND input IS NOT NULL`);
  const finish = sql(`
    UPDATE jobs SET state = :state, output = :output, error = :error, finished = :at,
      webhook_due = CASE WHEN webhook IS NULL THEN NULL ELSE :at END
    WHERE id = :id AND finished IS NULL`);
  const count = {
    COMPLETED: sql('UPDATE endpoints SET completed = completed + 1 WHERE id = ?'),
    FAILED: sql('UPDATE endpoints SET failed = failed + 1 WHERE id = ?'),
  };
  // Of a job that was retried meanwhile nothing is due.
  const tried = sql(
    'UPDATE jobs SET webhook_tries = ?, webhook_due = ? WHERE id = ? AND webhook_due IS NOT NULL',
  );
  const countRetry = sql('UPDATE endpoints SET retried = retried + 1 WHERE id = ?');

  return {
    jobInsert: (job: NewJobRow): void => void insert.run(named(job)),
    jobFind: (id: string, endpoint: string): JobRow | null => first<JobRow>(find.get(id, endpoint)),
    jobFindIdempotent: (endpoint: string, key: string): IdempotentJobRow | null =>
      first<IdempotentJobRow>(findIdempotent.get(endpoint, key)),
    jobInput: (id: string): string | null => first<{ input: string | null }>(input.get(id))?.input ?? null,
    jobLive: () =>
      rows<LiveJobRow>(
        database,
        `SELECT ${LIVE} FROM jobs WHERE state IN ('IN_QUEUE', 'IN_PROGRESS') ORDER BY seq`,
      ),
    jobTake: (id: string, worker: string, attempt: number, at: number): void =>
      void take.run(worker, attempt, at, id),
    jobRequeue: (id: string, endpoint: string, retries: number, counted: boolean): void => {
      requeue.run(retries, id);
      dropChunks.run(id);
      if (counted) countRetry.run(endpoint);
    },
    jobChunk: (id: string, output: string): void => void addChunk.run(id, output),
    /** What a generator yielded and nobody was told yet; told now. */
    jobDrainChunks: (id: string): string[] => {
      const outputs = untold.all(id).map((row) => String(row['output']));
      if (outputs.length > 0) markTold.run(id);
      return outputs;
    },
    /** A job that failed or timed out waits again; false when it did neither, or its input is forgotten. */
    jobRetry: (id: string, at: number): boolean => {
      if (retry.run(at, id).changes === 0) return false;
      dropChunks.run(id);
      return true;
    },
    /** Ends a job and tells its row; null when it had ended before. */
    jobFinish: ({ fromChunks, endpoint, ...end }: JobEnd): JobRow | null => {
      const streamed = chunks.all(end.id).map((row) => String(row['output']));
      const output = fromChunks && end.output === null ? `[${streamed.join(',')}]` : end.output;
      if (finish.run(named({ ...end, output })).changes === 0) return null;
      // What the client's stream has not read yet is told after the end.
      dropTold.run(end.id);
      if (end.state === 'COMPLETED' || end.state === 'FAILED') count[end.state].run(endpoint);
      return first<JobRow>(find.get(end.id, endpoint));
    },
    /** Ended jobs whose webhooks are to be told, the next first. */
    webhookNext: (most: number) =>
      rows<WebhookRow>(
        database,
        `SELECT ${LIVE}, finished, output, error, input, webhook_tries, webhook_due FROM jobs
         WHERE webhook_due IS NOT NULL ORDER BY webhook_due LIMIT ?`,
        most,
      ),
    /** Notes a try; `due` of the next one, null when there is none. */
    webhookTried: (id: string, tries: number, due: number | null): void => void tried.run(tries, due, id),
    /** Forgets results past their retention; rows with an idempotency key keep id and state for its time. */
    jobForget: (now: number, idempotencyRetention: number): void => {
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
    },
  };
}
