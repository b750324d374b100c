/**
 * Runs of `toolkit dev`: what a run sends to the platform, and what it is told. A run's endpoints are named `live-<name>`
 * and end with it.
 */
import type { PartRef } from './deployment.ts';
import type { ErrorBody } from './errors.ts';
import type { Manifest } from './manifestSchema.ts';

/** A run, and the environment in whose name its endpoints are. The id is the run's own, so that it outlives the platform. */
export interface LiveRunPlace {
  id: string;
  app: string;
  environment: string;
}

/** One endpoint of a run in its desired state. */
export interface ProvisionInput {
  run: string;
  /** Of this one endpoint, under the name that its declaration has. */
  manifest: Manifest;
  parts: PartRef[];
  /** Endpoint → variable → value, as in a deploy. */
  secrets: Record<string, Record<string, string>>;
}

/** Why a wanted endpoint will not come. */
export interface Declined {
  name: string;
  error: ErrorBody;
}
