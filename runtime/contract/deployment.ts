/**
 * Desired-state deploys: the client's request, the plan that the platform computes, and the progress of a
 * rollout.
 */
import type { EndpointKind } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import type { Manifest } from './manifestSchema.ts';

/**
 * A part of an artifact, identified by its content: dependencies by their lock and exclusions, code by its
 * uncompressed tar.
 */
export interface PartRef {
  role: 'dependencies' | 'code';
  /** Identity, hex sha256. */
  content: string;
  /** Hash of the bytes sent. */
  sha256: string;
  size: number;
  /** The dependency set this part unpacks to; null for code. */
  dependencySet: string | null;
}

/** Response of `prepareUpload` for one part. `url` is null when the platform has the content. */
export interface UploadTicket {
  content: string;
  missing: boolean;
  /** Signed, and expires. Accepts PUT with `Content-Range`; HEAD returns the current offset. */
  url: string | null;
}

/** The desired state of one environment. */
export interface DeployInput {
  app: string;
  environment: string;
  manifest: Manifest;
  parts: PartRef[];
  /** Endpoint → variable → value, for values that come from the environment and are never in the manifest. */
  secrets: Record<string, Record<string, string>>;
  /**
   * The environment's revision when the plan was computed. If it has changed, the deploy fails with
   * DEPLOY_CONFLICT.
   */
  revision: number | null;
  /** If false, a plan that removes endpoints is refused. */
  allowRemovals: boolean;
}

/** Why an endpoint changes: `code`, `dependencies`, or `settings: <field>`. */
export interface PlannedUpdate {
  name: string;
  reasons: string[];
}

export interface Plan {
  create: string[];
  update: PlannedUpdate[];
  unchanged: string[];
  remove: string[];
}

/** A plan with its revision and notes. */
export interface PlanReport {
  plan: Plan;
  revision: number;
  /** Where this platform deviates from the request, one sentence each. */
  notes: string[];
}

/** One endpoint as the state manager reports it. */
export interface RemoteEndpoint {
  id: string;
  name: string;
  kind: EndpointKind;
  url: string;
  build: number;
  live: boolean;
  /** The run of dev that a live endpoint belongs to; null for a persistent one. */
  run: string | null;
  hardware: string;
  workers: {
    min: number;
    max: number;
    idle: number;
    initializing: number;
    running: number;
    unhealthy: number;
  };
  jobs: { inQueue: number; inProgress: number; completed: number; failed: number; retried: number };
  routes: string[];
}

/** The progress of one endpoint in a rollout. */
export interface RolloutStep {
  endpoint: string;
  state: 'waiting' | 'starting' | 'ready' | 'failed' | 'removed';
  /** One sentence: the reason of a failure. */
  detail: string | null;
  /** The last lines of the worker's log if it failed. */
  lines: string[];
}

/** A deployment that is running or has ended. */
export interface Deployment {
  id: string;
  state: 'running' | 'succeeded' | 'failed';
  /** Number of the build that serves after it. */
  build: number;
  plan: Plan;
  steps: RolloutStep[];
  error: { code: ErrorCode; message: string; hint: string | null } | null;
}

/** Scope of a key. `owner`: everything. `deploy`: everything except keys. `invoke`: calls only. */
export const KEY_SCOPES = ['owner', 'deploy', 'invoke'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** One deploy that changed what an environment serves. */
export interface BuildRecord {
  build: number;
  /** ISO 8601. */
  time: string;
  /** Names of the endpoints that it served, sorted. */
  endpoints: string[];
  current: boolean;
}
