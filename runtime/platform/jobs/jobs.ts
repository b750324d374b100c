/**
 * The jobs of queue-based endpoints. The store decides what happens to each job. This class notifies
 * everybody concerned: waiting clients, workers that must stop, webhooks and the autoscaler.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Endpoints } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { JsonText } from '../json/jsonText.ts';
import type { Lifetime } from '../lifetime.ts';
import type { Log } from '../log.ts';
import type { Workers } from '../workers/workers.ts';
import { JobReads } from './jobReads.ts';
import type { Changed, Holder, Job, JobResult, JobStore, QueueCounts, Refusal, Requeue } from './jobStore.ts';
import { endReason } from './lostReason.ts';
import { Queues } from './queues.ts';
import { Takers } from './takers.ts';

export interface JobsContext {
  store: JobStore;
  endpoints: Endpoints;
  workers: Workers;
  lifetime: Lifetime;
  events: PlatformEvents;
  log: Log;
}

export class Jobs {
  readonly #context: JobsContext;
  readonly queues = new Queues();
  readonly takers: Takers;
  /** Reads jobs for clients. */
  readonly reads: JobReads;

  constructor(context: JobsContext) {
    const { store, endpoints, workers, lifetime, events, log } = context;
    this.#context = context;
    this.reads = new JobReads(store);
    this.takers = new Takers({
      store,
      log,
      queues: this.queues,
      endpoints,
      workers,
      lifetime,
      requeue: (which) => this.requeue(which),
    });
    events.on('workerEnded', (worker, withNode) => {
      const { id, target, draining } = worker;
      const error = withNode ? null : endReason(worker);
      this.requeue({ ...allOf(target.id, id), counted: !draining, error }).catch((error: unknown) =>
        log.error({ err: error }, 'the jobs of an ended worker were not requeued'),
      );
    });
  }

  /**
   * Takes over the jobs of a former process of this platform. Drops those of endpoints that no longer exist.
   */
  async load(): Promise<void> {
    await this.grantLeases();
    for (const id of this.queues.endpointIds()) if (!this.#context.endpoints.get(id)) await this.drop(id);
  }

  /** Grants the holders of jobs a full lease, after a time in which the platform could not hear them. */
  async grantLeases(): Promise<void> {
    this.update(await this.#context.store.resume(WORKER_LIMITS.lease));
  }

  /** Called by the store after a commit with the queues that have changed. */
  update(counts: QueueCounts[]): void {
    for (const queue of counts) {
      this.queues.update(queue);
      this.takers.dispatch(queue.endpoint);
      this.#context.events.emit('loadChanged', queue.endpoint);
    }
  }

  /** Takes jobs from a worker and notifies everybody concerned. */
  async requeue(which: Requeue): Promise<void> {
    this.#notify(await this.#context.store.requeue(which));
  }

  /** Requeues the jobs of workers that ended while the platform was not running. */
  async requeueOrphans(): Promise<void> {
    for (const endpoint of this.queues.endpointIds()) {
      for (const worker of this.queues.of(endpoint).busyWorkers)
        if (!this.#context.workers.get(worker))
          await this.requeue({ ...allOf(endpoint, worker), counted: true });
    }
  }

  /** Renews a worker's leases. */
  async renew(endpoint: string, worker: string, ids: string[]): Promise<void> {
    if (ids.length > 0) await this.#context.store.renew(endpoint, worker, ids, WORKER_LIMITS.lease);
  }

  /** Stores the progress of a running job. Progress after the job's end is ignored. */
  async progress(id: string, holder: Holder, output: JsonText): Promise<void> {
    const said = await this.#context.store.progress(id, holder, output, WORKER_LIMITS.lease);
    if (said === 'held') this.reads.notify(id, null);
  }

  /** Stores a chunk that a generator has yielded. */
  async chunk(id: string, holder: Holder, output: JsonText): Promise<'held' | Refusal> {
    const said = await this.#context.store.chunk(id, holder, output, WORKER_LIMITS.lease);
    if (said === 'held') this.reads.notify(id, null);
    return said;
  }

  /** Ends jobs, each independently. Notifies waiting clients once the results are on disk. */
  async finish(results: JobResult[]): Promise<(Job | Refusal)[]> {
    const ended = await this.#context.store.finish(results);
    for (const job of ended) if (typeof job === 'object') this.#ended(job);
    return ended;
  }

  async cancel(endpointId: string, id: string): Promise<void> {
    this.#notify(await this.#context.store.cancel(endpointId, id));
  }

  /** Cancels all waiting jobs. Returns how many. */
  async purge(endpointId: string): Promise<number> {
    let removed = 0;
    for (let more = true; more; ) {
      const purged = await this.#context.store.purge(endpointId);
      this.#notify(purged);
      removed += purged.ended.length;
      more = purged.more;
    }
    return removed;
  }

  /**
   * Handles what was due at a time: lost leases, times to live, execution timeouts, and results past their
   * retention.
   */
  async expire(now: number): Promise<void> {
    for (let more = true; more; ) {
      const expired = await this.#context.store.expire(now);
      this.#notify(expired);
      more = expired.more;
      // Let other work run between two slices.
      if (more) await nextTurn();
    }
  }

  /** Drops a removed endpoint. Clients that wait for its jobs are told that there is none. */
  async drop(endpointId: string): Promise<void> {
    this.takers.drop(endpointId);
    while ((await this.#context.store.drop(endpointId)).more) await nextTurn();
    // Not earlier: calls that the store had already received report their queue once more.
    this.queues.delete(endpointId);
    this.reads.drop(endpointId);
  }

  #notify({ ended, requeued, stopped }: Changed): void {
    for (const job of ended) this.#ended(job);
    for (const { id, worker } of stopped) this.#context.events.emit('jobStopped', worker, id);
    for (const { id, endpoint, retries } of requeued) {
      this.#context.log.info({ job: id, endpoint, retries }, 'job requeued');
      this.reads.notify(id, null);
    }
  }

  #ended(job: Job): void {
    this.reads.notify(job.id, job);
    if (job.webhook !== null) this.#context.events.emit('webhookDue');
  }
}

/** All jobs of a worker. */
function allOf(endpoint: string, worker: string): Omit<Requeue, 'counted'> {
  return { endpoint, worker, id: null, attempt: null, error: null };
}
