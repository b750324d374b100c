/** The parts of the platform that a rollout uses, and the change that it makes. */
import type { AppSpec } from '../../contract/appSpec.ts';
import type { PartRef, Plan } from '../../contract/deployment.ts';
import type { WorkerDriver } from '../drivers/workerDriver.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { Autoscaler } from '../workers/autoscaler.ts';
import type { Workers } from '../workers/workers.ts';

export interface RolloutContext {
  store: Store;
  endpoints: Endpoints;
  workers: Workers;
  autoscaler: Autoscaler;
  jobs: Jobs;
  driver: WorkerDriver;
  gateway: Gateway;
  events: PlatformEvents;
  log: Log;
}

/** A deploy of an environment or of one live endpoint: the desired and the current state. */
export interface Change {
  app: string;
  environment: string;
  /** The run of `toolkit dev` whose endpoint changes; null for a deploy of the environment. */
  run: string | null;
  /** Name of the environment in logs. */
  place: string;
  current: DeployedEndpoint[];
  /** With the endpoints' names on the platform. */
  wanted: AppSpec;
  plan: Plan;
  parts: PartRef[];
  /** Endpoint → variable → value. */
  secrets: Record<string, Record<string, string>>;
}
