/**
 * Events between the rooms of the platform. The sender does not know the receivers: each room subscribes when
 * it is created.
 */
import { EventEmitter } from 'node:events';
import type { DeployedEndpoint } from './endpoints.ts';
import type { Worker } from './workers/worker.ts';

interface EventMap {
  /** A client's request has arrived. */
  used: [];
  /** The load of an endpoint has changed; the number of workers may have to change too. */
  loadChanged: [endpointId: string];
  /** An endpoint now serves its new build. */
  endpointSwitched: [endpointId: string];
  endpointRemoved: [endpoint: DeployedEndpoint];
  workerChanged: [worker: Worker];
  /** A worker holds these jobs; null when it takes jobs by itself. */
  workerHolds: [worker: Worker, jobs: string[] | null];
  /** A worker that was unreachable for a while can be reached again. */
  workerResumed: [worker: Worker];
  /** A worker has ended and was already removed. `withNode`: it ended because its node's agent did. */
  workerEnded: [worker: Worker, withNode: boolean];
  /** A worker must stop a job. */
  jobStopped: [workerId: string, jobId: string];
  /** A job with a webhook has ended. */
  webhookDue: [];
}

export class PlatformEvents extends EventEmitter<EventMap> {
  constructor() {
    super();
    // Each running rollout listens for its workers.
    this.setMaxListeners(0);
  }
}
