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

/** What a run hears when it says that it lives. */
export interface Renewal {
  /** Names of endpoints that its workers look for and that are not there. */
  wanted: string[];
  /** Ids of endpoints that it believes to have, and that the platform does not have any more. */
  lost: string[];
}

/** A part whose bytes come with the request that names it. */
export interface CarriedPart {
  content: string;
  /** Base64. */
  bytes: string;
}

/** One endpoint of a run in its desired state. */
export interface ProvisionInput {
  run: string;
  /** Of this one endpoint, under the name that its declaration has. */
  manifest: Manifest;
  parts: PartRef[];
  /** Those of the parts that are not uploaded before. */
  carried: CarriedPart[];
  /** Endpoint → variable → value, as in a deploy. */
  secrets: Record<string, Record<string, string>>;
}

/** Why a wanted endpoint will not come. */
export interface Declined {
  name: string;
  error: ErrorBody;
}
