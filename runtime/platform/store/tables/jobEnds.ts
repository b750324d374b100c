/** How jobs leave their workers and the queue: finished, cancelled, lost, timed out, deleted. */
import type { DatabaseSync } from 'node:sqlite';
import { JOB_LIMITS } from '../../../contract/limits.ts';
import { wallClock } from '../../clock.ts';
import type { Changed, Holder, Job, JobResult, Refusal, Requeue } from '../../jobs/jobStore.ts';
import { lostReason } from '../../jobs/lostReason.ts';
import { asKept, type JsonText } from '../../json/jsonText.ts';
import { first, rows } from '../statements.ts';
import { holderOf, IS_HELD, JOB_COLUMNS } from './jobRow.ts';
import { refusal } from './jobs.ts';
import type { CountedJob, QueueCounter } from './queueCounter.ts';

/** Most jobs per call of a sliced method, which takes a few milliseconds. */
const SLICE = 200;

interface End {
  state: 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  output: JsonText | null;
  error: string | null;
}

/** Fields of an ended job that only its row contains. */
type EndedRow = Pick<Job, 'created' | 'started' | 'attempt' | 'retries' | 'webhook'> &
  Pick<CountedJob, 'low_priority' | 'bytes'>;

export class JobEnds {
  readonly #counter: QueueCounter;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync, counter: QueueCounter) {
    this.#counter = counter;
    this.#statements = prepare(database);
  }

  finish(results: JobResult[]): (Job | Refusal)[] {
    return results.map(({ id, holder, state, output, error, fromChunks }) => {
      const result = fromChunks && output === null ? this.#yields(id) : output;
      const ended = this.#endHeld(id, holder, {
        state,
        output: result === null ? null : asKept(result),
        error,
      });
      return ended ?? refusal(this.#find(holder.endpoint, id), holder);
    });
  }

  cancel(endpoint: string, id: string): Changed {
    const changed = nothing();
    const job = this.#find(endpoint, id);
    if (!job || job.finished !== null) return changed;
    const end: End = { state: 'CANCELLED', output: null, error: null };
    if (job.state === 'IN_QUEUE') changed.ended.push(this.#endWaiting(job, end));
    else this.#stop(job, end, changed);
    return changed;
  }

  purge(endpoint: string): Changed & { more: boolean } {
    const waiting = rows<Job>(this.#statements.waiting, endpoint, SLICE);
    const ended = waiting.map((job) =>
      this.#endWaiting(job, { state: 'CANCELLED', output: null, error: null }),
    );
    return { ...nothing(), ended, more: waiting.length === SLICE };
  }

  retry(endpoint: string, id: string): boolean {
    const now = wallClock();
    const row = first<CountedJob>(this.#statements.retry.get(now, id, endpoint));
    if (!row) return false;
    this.#statements.dropChunks.run(id);
    this.#counter.waits(row, 1);
    return true;
  }

  requeue({ endpoint, worker, id, attempt, counted, error }: Requeue): Changed {
    const changed = nothing();
    for (const job of rows<Job>(this.#statements.heldBy, endpoint, worker)) {
      if (id !== null && (job.id !== id || (attempt !== null && job.attempt !== attempt))) continue;
      this.#requeue(job, counted, error, changed);
    }
    return changed;
  }

  expire(now: number): Changed & { more: boolean } {
    const changed = nothing();
    const due = rows<Job & { seq: number; deadline: number | null }>(this.#statements.due, now, SLICE);
    for (const job of due) {
      if (job.state === 'IN_QUEUE') {
        const end: End = { state: 'TIMED_OUT', output: null, error: 'ttl exceeded' };
        changed.ended.push(this.#endWaiting(job, end));
      } else if (job.state !== 'IN_PROGRESS') this.#forget(job, now);
      else if (job.deadline !== null && job.deadline <= now) {
        this.#stop(job, { state: 'FAILED', output: null, error: 'executionTimeout exceeded' }, changed);
      } else this.#requeue(job, true, null, changed);
    }
    return { ...changed, more: due.length === SLICE };
  }

  drop(endpoint: string): { more: boolean } {
    const { live, dropChunks, deleteInput, deleteJob } = this.#statements;
    const jobs = rows<{ seq: number; id: string }>(live, endpoint, endpoint, SLICE);
    for (const { seq, id } of jobs) {
      dropChunks.run(id);
      deleteInput.run(seq);
      deleteJob.run(seq);
    }
    this.#counter.forget(endpoint);
    return { more: jobs.length === SLICE };
  }

  #find(endpoint: string, id: string): Job | null {
    return first(this.#statements.find.get(id, endpoint));
  }

  /** The chunks that a generator has yielded, as one list. */
  #yields(id: string): string {
    const outputs = this.#statements.chunks.all(id).map((row) => String(row['output']));
    return `[${outputs.join(',')}]`;
  }

  /** Null if the worker does not hold the job. */
  #endHeld(id: string, holder: Holder, end: End): Job | null {
    const now = wallClock();
    const { state, output, error } = end;
    const row = first<EndedRow>(
      this.#statements.endHeld.get(state, output, error, now, ...holderOf(id, holder)),
    );
    if (!row) return null;
    const { endpoint, worker } = holder;
    this.#counter.isHeld(endpoint, worker, -1);
    return this.#ended({ id, endpoint, worker }, end, now, row);
  }

  #endWaiting({ id, endpoint }: Job, end: End): Job {
    const now = wallClock();
    const { state, output, error } = end;
    const row = first<EndedRow>(this.#statements.endWaiting.get(state, output, error, now, id, endpoint))!;
    const { low_priority, bytes } = row;
    this.#counter.waits({ endpoint, low_priority, bytes }, -1);
    return this.#ended({ id, endpoint, worker: null }, end, now, row);
  }

  #ended(job: Pick<Job, 'id' | 'endpoint' | 'worker'>, end: End, finished: number, row: EndedRow): Job {
    const { id, endpoint, worker } = job;
    const { state, output, error } = end;
    const { created, started, attempt, retries, webhook } = row;
    // Chunks that the client's stream has not read yet are kept after the end.
    this.#statements.dropDelivered.run(id);
    if (state === 'COMPLETED') this.#counter.count(endpoint, 'completed');
    if (state === 'FAILED') this.#counter.count(endpoint, 'failed');
    const times = { created, started, finished };
    return { id, endpoint, state, ...times, worker, attempt, retries, webhook, output, error };
  }

  /** Ends a running job in place of its worker. */
  #stop(job: Job, end: End, changed: Changed): void {
    const { endpoint, attempt } = job;
    const worker = job.worker!;
    changed.ended.push(this.#endHeld(job.id, { endpoint, worker, attempt }, end)!);
    changed.stopped.push({ id: job.id, worker });
  }

  #requeue(job: Job, counted: boolean, error: string | null, changed: Changed): void {
    const { id, endpoint, attempt } = job;
    const worker = job.worker!;
    const holder = { endpoint, worker, attempt };
    if (counted && job.retries >= JOB_LIMITS.maxRetries) {
      const end: End = { state: 'FAILED', output: null, error: lostReason(error, job.retries) };
      changed.ended.push(this.#endHeld(id, holder, end)!);
      return;
    }
    const by = counted ? 1 : 0;
    const row = first<CountedJob & { retries: number }>(
      this.#statements.requeue.get(wallClock(), by, ...holderOf(id, holder)),
    )!;
    this.#statements.dropChunks.run(id);
    this.#counter.isHeld(endpoint, worker, -1);
    this.#counter.waits(row, 1);
    if (counted) this.#counter.count(endpoint, 'retried');
    changed.requeued.push({ id, endpoint, retries: row.retries });
  }

  /**
   * Deletes a result past its retention. If the job has an idempotency key, its id and state are kept as long
   * as the key.
   */
  #forget({ seq, id }: { seq: number; id: string }, now: number): void {
    const { dropChunks, deleteInput, deleteJob, expireResult } = this.#statements;
    dropChunks.run(id);
    deleteInput.run(seq);
    const kept = expireResult.run(JOB_LIMITS.idempotencyRetention, seq, now).changes > 0;
    if (!kept) deleteJob.run(seq);
  }
}

function nothing(): Changed {
  return { ended: [], requeued: [], stopped: [] };
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const end = `
    UPDATE jobs SET state = ?1, output = CAST(?2 AS TEXT), error = ?3, finished = ?4, lease = NULL, deadline = NULL,
      due = ?4 + retention, webhook_due = iif(webhook IS NULL, NULL, ?4)`;
  const ended = 'RETURNING created, started, attempt, retries, webhook, low_priority, bytes';
  return {
    find: sql(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ? AND endpoint = ?`),
    waiting: sql(`
      SELECT ${JOB_COLUMNS} FROM jobs WHERE endpoint = ? AND state = 'IN_QUEUE' ORDER BY rank, seq LIMIT ?`),
    heldBy: sql(`
      SELECT ${JOB_COLUMNS} FROM jobs WHERE endpoint = ? AND worker = ? AND state = 'IN_PROGRESS' ORDER BY seq`),
    live: sql(`
      SELECT seq, id FROM (
        SELECT seq, id FROM jobs WHERE endpoint = ? AND state = 'IN_QUEUE'
        UNION ALL SELECT seq, id FROM jobs WHERE endpoint = ? AND state = 'IN_PROGRESS'
      ) LIMIT ?`),
    // A webhook that was not called yet needs the result.
    due: sql(`
      SELECT seq, deadline, ${JOB_COLUMNS} FROM jobs WHERE due <= ? AND webhook_due IS NULL ORDER BY due LIMIT ?`),
    chunks: sql('SELECT output FROM job_chunks WHERE job = ? ORDER BY position'),
    endHeld: sql(`${end} WHERE ${IS_HELD} ${ended}`),
    endWaiting: sql(`${end} WHERE id = ? AND endpoint = ? AND state = 'IN_QUEUE' ${ended}`),
    requeue: sql(`
      UPDATE jobs SET state = 'IN_QUEUE', rank = 0, worker = NULL, started = NULL, lease = NULL, deadline = NULL,
        output = NULL, queued = ?1, retries = retries + ?2, due = iif(retries + ?2 = 0, created + ttl, NULL)
      WHERE ${IS_HELD} RETURNING endpoint, low_priority, bytes, worker, retries`),
    retry: sql(`
      UPDATE jobs SET state = 'IN_QUEUE', rank = 1 + low_priority, created = ?1, queued = ?1, due = ?1 + ttl,
        started = NULL, finished = NULL, worker = NULL, output = NULL, error = NULL, retries = 0, webhook_tries = 0,
        webhook_due = NULL
      WHERE id = ?2 AND endpoint = ?3 AND state IN ('FAILED', 'TIMED_OUT')
        AND (input IS NOT NULL OR EXISTS (SELECT 1 FROM job_inputs WHERE job_inputs.seq = jobs.seq))
      RETURNING endpoint, low_priority, bytes, worker`),
    expireResult: sql(`
      UPDATE jobs SET input = NULL, output = NULL, error = 'result expired', due = created + ?1
      WHERE seq = ?2 AND idempotency_key IS NOT NULL AND created + ?1 > ?3`),
    dropChunks: sql('DELETE FROM job_chunks WHERE job = ?'),
    dropDelivered: sql('DELETE FROM job_chunks WHERE job = ? AND told = 1'),
    deleteInput: sql('DELETE FROM job_inputs WHERE seq = ?'),
    deleteJob: sql('DELETE FROM jobs WHERE seq = ?'),
  };
}
