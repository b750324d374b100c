/**
 * The jobs of queue-based endpoints. The store decides what becomes of each; here is told who has to know: clients that
 * wait, workers that must stop, webhooks, and whoever scales.
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
  /** What clients ask of jobs. */
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
    events.on('workerEnded', ({ id, target, draining }) => {
      this.requeue({ ...allOf(target.id, id), counted: !draining }).catch((error: unknown) =>
        log.error({ err: error }, 'the jobs of an ended worker were not re-queued'),
      );
    });
  }

  /** Takes up what a former process of this platform left; what belongs to no endpoint any more goes. */
  async load(): Promise<void> {
    this.update(await this.#context.store.resume(WORKER_LIMITS.lease));
    for (const id of this.queues.endpointIds()) if (!this.#context.endpoints.get(id)) await this.drop(id);
  }

  /** Hears from the store what a commit made of the queues. */
  update(counts: QueueCounts[]): void {
    for (const queue of counts) {
      this.queues.update(queue);
      this.takers.dispatch(queue.endpoint);
      this.#context.events.emit('loadChanged', queue.endpoint);
    }
  }

  /** Takes jobs from a worker that does not end them; whoever has to know is told. */
  async requeue(which: Requeue): Promise<void> {
    this.#tell(await this.#context.store.requeue(which));
  }

  /** Re-queues what workers held that have ended while nobody watched. */
  async requeueOrphans(): Promise<void> {
    for (const endpoint of this.queues.endpointIds()) {
      for (const worker of this.queues.of(endpoint).busyWorkers)
        if (!this.#context.workers.get(worker))
          await this.requeue({ ...allOf(endpoint, worker), counted: true });
    }
  }

  /** Renews the leases that a worker holds. */
  async renew(endpoint: string, worker: string, ids: string[]): Promise<void> {
    if (ids.length > 0) await this.#context.store.renew(endpoint, worker, ids, WORKER_LIMITS.lease);
  }

  /** Stores the progress of a running job. Progress that comes after the end is ignored. */
  async progress(id: string, holder: Holder, output: JsonText): Promise<void> {
    const said = await this.#context.store.progress(id, holder, output, WORKER_LIMITS.lease);
    if (said === 'held') this.reads.tell(id, null);
  }

  /** Keeps what a generator yielded, until its job ends. */
  async chunk(id: string, holder: Holder, output: JsonText): Promise<'held' | Refusal> {
    const said = await this.#context.store.chunk(id, holder, output, WORKER_LIMITS.lease);
    if (said === 'held') this.reads.tell(id, null);
    return said;
  }

  /** Ends jobs, each for itself: on disk first, then whoever waits for one is told. */
  async finish(results: JobResult[]): Promise<(Job | Refusal)[]> {
    const ended = await this.#context.store.finish(results);
    for (const job of ended) if (typeof job === 'object') this.#ended(job);
    return ended;
  }

  async cancel(endpointId: string, id: string): Promise<void> {
    this.#tell(await this.#context.store.cancel(endpointId, id));
  }

  /** Cancels everything that waits; tells how many. */
  async purge(endpointId: string): Promise<number> {
    let removed = 0;
    for (let more = true; more; ) {
      const purged = await this.#context.store.purge(endpointId);
      this.#tell(purged);
      removed += purged.ended.length;
      more = purged.more;
    }
    return removed;
  }

  /** Does what is due by now: lost leases, times to live, execution timeouts, results past their retention. */
  async expire(): Promise<void> {
    for (let more = true; more; ) {
      const expired = await this.#context.store.expire();
      this.#tell(expired);
      more = expired.more;
      // Others come between two slices.
      if (more) await nextTurn();
    }
  }

  /** Forgets an endpoint that was removed; whoever waits on its jobs finds none. */
  async drop(endpointId: string): Promise<void> {
    this.takers.drop(endpointId);
    while ((await this.#context.store.drop(endpointId)).more) await nextTurn();
    // Only now: calls that the store had received before have told their queue again.
    this.queues.delete(endpointId);
    this.reads.drop(endpointId);
  }

  #tell({ ended, requeued, stopped }: Changed): void {
    for (const job of ended) this.#ended(job);
    for (const { id, worker } of stopped) this.#context.events.emit('jobStopped', worker, id);
    for (const { id, endpoint, retries } of requeued) {
      this.#context.log.info({ job: id, endpoint, retries }, 'job re-queued');
      this.reads.tell(id, null);
    }
  }

  #ended(job: Job): void {
    this.reads.tell(job.id, job);
    if (job.webhook !== null) this.#context.events.emit('webhookDue');
  }
}

/** All jobs of a worker. */
function allOf(endpoint: string, worker: string): Omit<Requeue, 'counted'> {
  return { endpoint, worker, id: null, attempt: null, error: null };
}
