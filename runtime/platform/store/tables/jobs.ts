/** Jobs on their way in and in their workers' hands. */
import type { DatabaseSync } from 'node:sqlite';
import { wallClock } from '../../clock.ts';
import type {
  Claim,
  ClaimedJob,
  Holder,
  Job,
  NewJob,
  QueueCounts,
  Refusal,
  Submission,
} from '../../jobs/jobStore.ts';
import { first, named, rows } from '../statements.ts';
import type { QueueCounter } from './queueCounter.ts';

/** The platform steps in when a worker does not keep an execution timeout itself. */
const TIMEOUT_GRACE_MS = 2_000;

/** The columns of a `Job`. */
export const JOB_COLUMNS =
  'id, endpoint, state, created, started, finished, worker, attempt, retries, webhook, output, error';

/** A job's holder, in a WHERE clause with `holderOf`. */
export const IS_HELD = `id = :id AND endpoint = :endpoint AND state = 'IN_PROGRESS' AND worker = :worker
  AND (:attempt IS NULL OR attempt = :attempt)`;

export function holderOf(id: string, { endpoint, worker, attempt }: Holder) {
  return { id, endpoint, worker, attempt };
}

export class JobRows {
  readonly #counter: QueueCounter;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync, counter: QueueCounter) {
    this.#counter = counter;
    this.#statements = prepare(database);
  }

  submit(jobs: NewJob[]): Submission[] {
    return jobs.map((job) => this.#known(job) ?? this.#insert(job));
  }

  claim({ endpoint, worker, count, lease, executionTimeout }: Claim): ClaimedJob[] {
    const now = wallClock();
    const claimed = rows<ClaimedRow>(this.#statements.claim, {
      endpoint,
      worker,
      count,
      now,
      lease: now + lease,
      timeout: executionTimeout + TIMEOUT_GRACE_MS,
      grace: TIMEOUT_GRACE_MS,
    });
    // The rows of an UPDATE come in no order.
    claimed.sort((one, other) => one.rank - other.rank || one.seq - other.seq);
    return claimed.map((row) => {
      this.#counter.waits({ ...row, endpoint }, -1);
      this.#counter.isHeld({ endpoint }, worker, 1);
      const { id, attempt, seq } = row;
      return { id, attempt, input: this.#input(seq), executionTimeout: row.execution_timeout };
    });
  }

  find(endpoint: string, id: string): Job | null {
    return first(this.#statements.find.get(id, endpoint));
  }

  held(id: string, holder: Holder): 'held' | Refusal {
    if (this.#statements.held.get(holderOf(id, holder))) return 'held';
    return refusal(this.find(holder.endpoint, id), holder);
  }

  renew(endpoint: string, worker: string, ids: string[], lease: number): void {
    const until = wallClock() + lease;
    for (const id of ids) this.#statements.renew.run({ id, endpoint, worker, attempt: null, until });
  }

  progress(id: string, holder: Holder, output: string, lease: number): 'held' | Refusal {
    const until = wallClock() + lease;
    const { changes } = this.#statements.progress.run({ ...holderOf(id, holder), until, output });
    return changes > 0 ? 'held' : this.held(id, holder);
  }

  chunk(id: string, holder: Holder, output: string, lease: number): 'held' | Refusal {
    const until = wallClock() + lease;
    const { changes } = this.#statements.renew.run({ ...holderOf(id, holder), until });
    if (changes === 0) return this.held(id, holder);
    this.#statements.addChunk.run(id, output);
    return 'held';
  }

  drainChunks(id: string): string[] {
    const outputs = this.#statements.untold.all(id).map((row) => String(row['output']));
    if (outputs.length > 0) this.#statements.markTold.run(id);
    return outputs;
  }

  /** Every queue. Who held a job before gets a whole lease to be heard of. */
  resume(lease: number): QueueCounts[] {
    this.#statements.resume.run(wallClock() + lease);
    this.#counter.recount();
    return this.#counter.settle();
  }

  #known({ endpoint, idempotency }: NewJob): Submission | null {
    if (!idempotency) return null;
    const known = first<{ id: string; request_hash: string }>(
      this.#statements.findIdempotent.get(endpoint, idempotency.key),
    );
    if (!known) return null;
    return known.request_hash === idempotency.hash ? { as: 'known', id: known.id } : { as: 'conflict' };
  }

  #insert({ id, endpoint, input, idempotency, ...job }: NewJob): Submission {
    const now = wallClock();
    const low_priority = job.lowPriority ? 1 : 0;
    const bytes = Buffer.byteLength(input);
    const { lastInsertRowid } = this.#statements.insert.run(
      named({
        id,
        endpoint,
        rank: 1 + low_priority,
        low_priority,
        bytes,
        execution_timeout: job.executionTimeout,
        ttl: job.ttl,
        retention: job.retention,
        now,
        due: now + job.ttl,
        webhook: job.webhook,
        key: idempotency?.key ?? null,
        hash: idempotency?.hash ?? null,
      }),
    );
    this.#statements.insertInput.run(lastInsertRowid, input);
    this.#counter.waits({ endpoint, low_priority, bytes }, 1);
    return { as: 'new' };
  }

  #input(seq: number): string {
    const row = first<{ input: string }>(this.#statements.input.get(seq));
    if (!row) throw new Error(`The job in row ${seq} has no input.`);
    return row.input;
  }
}

/** Why a worker that is not a job's holder is not heard. */
export function refusal(job: Job | null, { worker, attempt }: Holder): Refusal {
  if (!job) return 'unknown';
  const wasHolder = job.worker === worker && (attempt === null || attempt === job.attempt);
  const hasFinished = job.state === 'COMPLETED' || job.state === 'FAILED';
  return hasFinished && wasHolder ? 'repeated' : 'stale';
}

interface ClaimedRow {
  seq: number;
  id: string;
  rank: number;
  low_priority: number;
  bytes: number;
  attempt: number;
  execution_timeout: number | null;
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    insert: sql(`
      INSERT INTO jobs (id, endpoint, state, rank, low_priority, bytes, execution_timeout, ttl, retention, created, queued,
        due, webhook, idempotency_key, request_hash)
      VALUES (:id, :endpoint, 'IN_QUEUE', :rank, :low_priority, :bytes, :execution_timeout, :ttl, :retention, :now, :now,
        :due, :webhook, :key, :hash)`),
    insertInput: sql('INSERT INTO job_inputs VALUES (?, ?)'),
    input: sql('SELECT input FROM job_inputs WHERE seq = ?'),
    find: sql(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ? AND endpoint = ?`),
    findIdempotent: sql('SELECT id, request_hash FROM jobs WHERE endpoint = ? AND idempotency_key = ?'),
    claim: sql(`
      UPDATE jobs SET state = 'IN_PROGRESS', worker = :worker, attempt = attempt + 1, started = :now, lease = :lease,
        deadline = :now + coalesce(execution_timeout + :grace, :timeout),
        due = min(:lease, :now + coalesce(execution_timeout + :grace, :timeout))
      WHERE seq IN (
        SELECT seq FROM jobs WHERE endpoint = :endpoint AND state = 'IN_QUEUE' AND (due IS NULL OR due > :now)
        ORDER BY rank, seq LIMIT :count
      )
      RETURNING seq, id, rank, low_priority, bytes, attempt, execution_timeout`),
    held: sql(`SELECT 1 FROM jobs WHERE ${IS_HELD}`),
    renew: sql(`UPDATE jobs SET lease = :until, due = min(:until, deadline) WHERE ${IS_HELD}`),
    progress: sql(`
      UPDATE jobs SET output = :output, lease = :until, due = min(:until, deadline) WHERE ${IS_HELD}`),
    resume: sql(`
      UPDATE jobs SET lease = ?1, due = min(?1, deadline) WHERE state = 'IN_PROGRESS'`),
    addChunk: sql(`
      INSERT INTO job_chunks (job, position, output)
      VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM job_chunks WHERE job = ?1), ?2)`),
    untold: sql('SELECT output FROM job_chunks WHERE job = ? AND told = 0 ORDER BY position'),
    markTold: sql('UPDATE job_chunks SET told = 1 WHERE job = ? AND told = 0'),
  };
}
