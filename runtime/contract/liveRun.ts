/**
 * Runs of `toolkit dev`: what a run sends to the platform, and what it gets back. The endpoints of a run are
 * named `live-<name>` and are removed with it.
 */
import type { PartRef } from './deployment.ts';
import type { ErrorBody } from './errors.ts';
import type { Manifest } from './manifestSchema.ts';

/** A run and its environment. The run chooses its id, so that the id outlives the platform. */
export interface LiveRunTarget {
  id: string;
  app: string;
  environment: string;
}

/** The platform's response to a run's heartbeat. */
export interface Renewal {
  /** Names of endpoints that its workers look up and that do not exist. */
  wanted: string[];
  /** Ids of endpoints that the run still lists and the platform no longer has. */
  lost: string[];
}

/** A part that is sent inside the request that refers to it. */
export interface CarriedPart {
  content: string;
  /** Base64. */
  bytes: string;
}

/** The desired state of one endpoint of a run. */
export interface ProvisionInput {
  run: string;
  /** Contains only this endpoint, under the name in its declaration. */
  manifest: Manifest;
  parts: PartRef[];
  /** The parts that were not uploaded before. */
  carried: CarriedPart[];
  /** Endpoint → variable → value, as in a deploy. */
  secrets: Record<string, Record<string, string>>;
}

/** Why a wanted endpoint cannot be provided. */
export interface Declined {
  name: string;
  error: ErrorBody;
}
