/** Desired-state deploys: what a client sends, the plan the platform computes, and how a roll-out is followed. */
import type { EndpointKind } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import type { Manifest } from './manifestSchema.ts';

/** An artifact's part by its content: dependencies are named by their lock and exclusions, code by its raw tar. */
export interface PartRef {
  role: 'dependencies' | 'code';
  /** Identity, hex sha256. */
  content: string;
  /** Of the bytes sent. */
  sha256: string;
  size: number;
  /** The dependency set this part unpacks to; null for code. */
  dependencySet: string | null;
}

/** Answer of `prepareUpload` for one part. `url` is null when the platform has the content. */
export interface UploadTicket {
  content: string;
  missing: boolean;
  /** Signed and expiring; takes PUT with `Content-Range`, tells its offset on HEAD. */
  url: string | null;
}

/** The desired state of one environment. */
export interface DeployInput {
  app: string;
  environment: string;
  manifest: Manifest;
  parts: PartRef[];
  /** Endpoint → variable → value, for values that come from the environment and never enter the manifest. */
  secrets: Record<string, Record<string, string>>;
  /** The environment's revision that the plan was computed from; another one is a DEPLOY_CONFLICT. */
  revision: number | null;
  /** Without it a plan that removes endpoints is refused. */
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

/** A plan, and the facts around it. */
export interface PlanReport {
  plan: Plan;
  revision: number;
  /** Differences between what was asked for and what this platform does, one sentence each. */
  notes: string[];
}

/** One endpoint as the state manager tells it. */
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

/** How far one endpoint of a roll-out is. */
export interface RolloutStep {
  endpoint: string;
  state: 'waiting' | 'starting' | 'ready' | 'failed' | 'removed';
  /** One sentence: the reason of a failure. */
  detail: string | null;
  /** The worker's last lines when it failed. */
  lines: string[];
}

/** A deployment under way or ended. */
export interface Deployment {
  id: string;
  state: 'running' | 'succeeded' | 'failed';
  /** Number of the build that serves afterwards. */
  build: number;
  plan: Plan;
  steps: RolloutStep[];
  error: { code: ErrorCode; message: string; hint: string | null } | null;
}

/** Scope of a key: `owner` all, `deploy` all but keys, `invoke` calls only. */
export const KEY_SCOPES = ['owner', 'deploy', 'invoke'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** One deploy that switched an environment. */
export interface BuildRecord {
  build: number;
  /** ISO 8601. */
  time: string;
  /** Names of what it served, sorted. */
  endpoints: string[];
  current: boolean;
}
