/** How jobs enter the queue and are held by workers. */
import type { DatabaseSync } from 'node:sqlite';
import type { JobState } from '../../../contract/job.ts';
import { JOB_LIMITS } from '../../../contract/limits.ts';
import { wallClock } from '../../clock.ts';
import type {
  Claim,
  ClaimedJob,
  Holder,
  Job,
  NewJob,
  QueueCounts,
  Refusal,
  Start,
  Submission,
} from '../../jobs/jobStore.ts';
import { type JsonText, sizeOf } from '../../json/jsonText.ts';
import { type JobColumns, jobsOf } from '../jobColumns.ts';
import { first, jsonColumn, rows } from '../statements.ts';
import { holderOf, IS_HELD, JOB_COLUMNS } from './jobRow.ts';
import type { QueueCounter } from './queueCounter.ts';

/** How long after an execution timeout the platform ends a job that its worker has not ended. */
const TIMEOUT_GRACE_MS = 2_000;
/** Largest input that is in its job's row, in bytes. Each change of the job writes that row again. */
const SHORT_INPUT = 1_000;
/** One shared object, which a message contains only once, regardless of the number of jobs. */
const NEW: Submission = { as: 'new' };

export class JobRows {
  readonly #counter: QueueCounter;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync, counter: QueueCounter) {
    this.#counter = counter;
    this.#statements = prepare(database);
  }

  submit(columns: JobColumns): Submission[] {
    const now = wallClock();
    const jobs = jobsOf(columns);
    const known = jobs.map((job) => this.#known(job, now));
    // Of a batch from one request, either all jobs are known or none is, as long as their keys are kept.
    if (known.some((one) => one?.as === 'conflict')) return known.map(() => ({ as: 'conflict' }));
    if (!known.includes(null)) return known.filter((one) => one !== null);
    for (const job of jobs) this.#insert(job, now);
    return jobs.map(() => NEW);
  }

  claim({ endpoint, worker, count, lease, executionTimeout }: Claim): ClaimedJob[] {
    const now = wallClock();
    const claimed = rows<ClaimedRow>(
      this.#statements.claim,
      worker,
      now,
      now + lease,
      executionTimeout + TIMEOUT_GRACE_MS,
      endpoint,
      count,
    );
    // An UPDATE returns its rows in no particular order.
    claimed.sort((one, other) => one.rank - other.rank || one.seq - other.seq);
    return claimed.map((row) => {
      const { id, attempt, seq, low_priority, bytes } = row;
      this.#counter.waits({ endpoint, low_priority, bytes }, -1);
      this.#counter.isHeld(endpoint, worker, 1);
      const input = row.input ?? this.#longInput(seq);
      return { id, attempt, input, executionTimeout: row.execution_timeout };
    });
  }

  enter(job: NewJob, start: Start | null): void {
    const now = wallClock();
    if (start) this.#insertStarted(job, start, now);
    else this.#insert(job, now);
  }

  find(endpoint: string, id: string): Job | null {
    return first(this.#statements.find.get(id, endpoint));
  }

  renew(endpoint: string, worker: string, ids: string[], lease: number): void {
    const until = wallClock() + lease;
    const holder = { endpoint, worker, attempt: null };
    for (const id of ids) this.#statements.renew.run(until, ...holderOf(id, holder));
  }

  progress(id: string, holder: Holder, output: JsonText, lease: number): 'held' | Refusal {
    const until = wallClock() + lease;
    const { changes } = this.#statements.progress.run(output, until, ...holderOf(id, holder));
    return changes > 0 ? 'held' : refusal(this.find(holder.endpoint, id), holder);
  }

  chunk(id: string, holder: Holder, output: JsonText, lease: number): 'held' | Refusal {
    const until = wallClock() + lease;
    const { changes } = this.#statements.renew.run(until, ...holderOf(id, holder));
    if (changes === 0) return refusal(this.find(holder.endpoint, id), holder);
    this.#statements.addChunk.run(id, output);
    return 'held';
  }

  drainChunks(id: string): JsonText[] {
    const outputs = rows<{ output: JsonText }>(this.#statements.undelivered, id).map(({ output }) => output);
    if (outputs.length > 0) this.#statements.markDelivered.run(id);
    return outputs;
  }

  /** Returns every queue. Workers that hold jobs get a full lease to report again. */
  resume(lease: number): QueueCounts[] {
    this.#statements.resume.run(wallClock() + lease);
    this.#counter.recount();
    return this.#counter.settle();
  }

  #known({ endpoint, idempotency }: NewJob, now: number): Submission | null {
    if (!idempotency) return null;
    const since = now - JOB_LIMITS.idempotencyRetention;
    const known = first<{ id: string; state: JobState; request_hash: string }>(
      this.#statements.findIdempotent.get(endpoint, idempotency.key, since),
    );
    if (!known) return null;
    const { id, state } = known;
    return known.request_hash === idempotency.hash ? { as: 'known', id, state } : { as: 'conflict' };
  }

  #insert({ id, endpoint, input, idempotency, ...job }: NewJob, now: number): void {
    if (idempotency) this.#statements.freeKey.run(endpoint, idempotency.key);
    const low_priority = job.lowPriority ? 1 : 0;
    const bytes = sizeOf(input);
    const short = bytes <= SHORT_INPUT ? input : null;
    const { lastInsertRowid } = this.#statements.insert.run(
      id,
      endpoint,
      1 + low_priority,
      low_priority,
      bytes,
      job.executionTimeout,
      job.ttl,
      job.retention,
      now,
      job.webhook,
      idempotency?.key ?? null,
      idempotency?.hash ?? null,
      short,
    );
    if (short === null) this.#statements.insertInput.run(lastInsertRowid, input);
    this.#counter.waits({ endpoint, low_priority, bytes }, 1);
  }

  #insertStarted(job: NewJob, { worker, lease, executionTimeout }: Start, now: number): void {
    const { id, endpoint, input } = job;
    const bytes = sizeOf(input);
    const short = bytes <= SHORT_INPUT ? input : null;
    const deadline = now + (job.executionTimeout ?? executionTimeout) + TIMEOUT_GRACE_MS;
    const { lastInsertRowid } = this.#statements.insertStarted.run(
      id,
      endpoint,
      job.lowPriority ? 1 : 0,
      bytes,
      job.executionTimeout,
      job.ttl,
      job.retention,
      now,
      job.webhook,
      worker,
      now + lease,
      deadline,
      short,
    );
    if (short === null) this.#statements.insertInput.run(lastInsertRowid, input);
    this.#counter.isHeld(endpoint, worker, 1);
  }

  #longInput(seq: number): JsonText {
    const row = first<{ input: JsonText }>(this.#statements.longInput.get(seq));
    if (!row) throw new Error(`The job in row ${seq} has no input.`);
    return row.input;
  }
}

/** Why a worker that does not hold a job is refused. */
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
  /** Null if it is long. */
  input: string | null;
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    insert: sql(`
      INSERT INTO jobs (id, endpoint, state, rank, low_priority, bytes, execution_timeout, ttl, retention, created, queued,
        due, webhook, idempotency_key, request_hash, input)
      VALUES (?1, ?2, 'IN_QUEUE', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?9 + ?7, ?10, ?11, ?12, CAST(?13 AS TEXT))`),
    insertStarted: sql(`
      INSERT INTO jobs (id, endpoint, state, rank, low_priority, bytes, execution_timeout, ttl, retention, created, queued,
        started, webhook, worker, attempt, lease, deadline, due, input)
      VALUES (?1, ?2, 'IN_PROGRESS', 1 + ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?8, ?9, ?10, 1, ?11, ?12, min(?11, ?12),
        CAST(?13 AS TEXT))`),
    insertInput: sql('INSERT INTO job_inputs VALUES (?, CAST(? AS TEXT))'),
    longInput: sql(`SELECT ${jsonColumn('input')} FROM job_inputs WHERE seq = ?`),
    find: sql(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ? AND endpoint = ?`),
    findIdempotent: sql(`
      SELECT id, state, request_hash FROM jobs WHERE endpoint = ? AND idempotency_key = ? AND created > ?`),
    freeKey: sql('UPDATE jobs SET idempotency_key = NULL WHERE endpoint = ? AND idempotency_key = ?'),
    claim: sql(`
      UPDATE jobs SET state = 'IN_PROGRESS', worker = ?1, attempt = attempt + 1, started = ?2, lease = ?3,
        deadline = ?2 + coalesce(execution_timeout + ${TIMEOUT_GRACE_MS}, ?4),
        due = min(?3, ?2 + coalesce(execution_timeout + ${TIMEOUT_GRACE_MS}, ?4))
      WHERE seq IN (
        SELECT seq FROM jobs WHERE endpoint = ?5 AND state = 'IN_QUEUE' AND (due IS NULL OR due > ?2)
        ORDER BY rank, seq LIMIT ?6
      )
      RETURNING seq, id, rank, low_priority, bytes, attempt, execution_timeout, input`),
    renew: sql(`UPDATE jobs SET lease = ?1, due = min(?1, deadline) WHERE ${IS_HELD}`),
    progress: sql(`
      UPDATE jobs SET output = CAST(?1 AS TEXT), lease = ?2, due = min(?2, deadline) WHERE ${IS_HELD}`),
    resume: sql(`
      UPDATE jobs SET lease = ?1, due = min(?1, deadline) WHERE state = 'IN_PROGRESS'`),
    addChunk: sql(`
      INSERT INTO job_chunks (job, position, output)
      VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM job_chunks WHERE job = ?1), CAST(?2 AS TEXT))`),
    undelivered: sql(`
      SELECT ${jsonColumn('output')} FROM job_chunks WHERE job = ? AND told = 0 ORDER BY position`),
    markDelivered: sql('UPDATE job_chunks SET told = 1 WHERE job = ? AND told = 0'),
  };
}
