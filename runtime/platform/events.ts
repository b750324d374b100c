/** What the platform's rooms tell each other. Who tells does not know who hears: a room subscribes when it is created. */
import { EventEmitter } from 'node:events';
import type { DeployedEndpoint } from './endpoints.ts';
import type { Worker } from './workers/worker.ts';

interface EventMap {
  /** A client's request came in. */
  used: [];
  /** An endpoint has more or less to do: perhaps it needs other workers. */
  loadChanged: [endpointId: string];
  /** An endpoint serves its new build now. */
  endpointSwitched: [endpointId: string];
  endpointRemoved: [endpoint: DeployedEndpoint];
  workerChanged: [worker: Worker];
  /** A worker holds these jobs; null when it takes jobs by itself. */
  workerHolds: [worker: Worker, jobs: string[] | null];
  /** A worker that could not be reached for a while can be again. */
  workerResumed: [worker: Worker];
  /** A worker ended; it is already forgotten. `withNode`: because its node's agent did. */
  workerEnded: [worker: Worker, withNode: boolean];
  /** A worker has to stop a job. */
  jobStopped: [workerId: string, jobId: string];
  /** A job with a webhook has ended. */
  webhookDue: [];
}

export class PlatformEvents extends EventEmitter<EventMap> {
  constructor() {
    super();
    // Each roll-out under way listens for its workers.
    this.setMaxListeners(0);
  }
}
