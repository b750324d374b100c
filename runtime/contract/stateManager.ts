/** The state manager's GraphQL schema, the identity of a platform, and the files of TOOLKIT_HOME. */

/**
 * Version of the HTTP and GraphQL interface. A client replaces an embedded platform whose version is older.
 */
export const API_VERSION = 4;

export const GRAPHQL_PATH = '/graphql';

/**
 * The schema served at `GRAPHQL_PATH`, with `Authorization: Bearer KEY`. Errors carry `extensions.code` and
 * `.hint`.
 */
export const STATE_MANAGER_SCHEMA = /* GraphQL */ `
  scalar JSON

  type Workers { min: Int! max: Int! idle: Int! initializing: Int! running: Int! unhealthy: Int! }
  type Jobs { inQueue: Int! inProgress: Int! completed: Int! failed: Int! retried: Int! }

  type Endpoint {
    id: ID!
    name: String!
    "queue or load-balanced"
    kind: String!
    url: String!
    build: Int!
    live: Boolean!
    "The run of the dev server that a live endpoint belongs to."
    run: ID
    hardware: String!
    workers: Workers!
    jobs: Jobs!
    routes: [String!]!
  }

  type Environment { app: String! name: String! build: Int! revision: Int! endpoints: [Endpoint!]! }
  type App { name: String! environments: [Environment!]! }
  "One deploy that changed what an environment serves. Time is ISO 8601."
  type Build { build: Int! time: String! endpoints: [String!]! current: Boolean! }
  type Account { name: String! quota: Int! workersMax: Int! scope: String! }

  type PlannedUpdate { name: String! reasons: [String!]! }
  type Plan { create: [String!]! update: [PlannedUpdate!]! unchanged: [String!]! remove: [String!]! }
  type PlanReport { plan: Plan! revision: Int! notes: [String!]! }

  type RolloutStep { endpoint: String! state: String! detail: String lines: [String!]! }
  type DeploymentError { code: String! message: String! hint: String }
  type Deployment {
    id: ID!
    state: String!
    build: Int!
    plan: Plan!
    steps: [RolloutStep!]!
    error: DeploymentError
  }

  type LogLine { time: String! level: String! worker: String! request: String message: String! }
  "cursor continues after the last line of this page."
  type LogPage { lines: [LogLine!]! cursor: String! }

  type UploadTicket { content: String! missing: Boolean! url: String }
  type Key { id: ID! scope: String! name: String endpoints: [String!] created: String! }
  type CreatedKey { id: ID! key: String! }

  input PartInput { role: String! content: String! sha256: String! size: Float! dependencySet: String }
  input PlanInput { app: String! environment: String! manifest: JSON! secrets: JSON! }
  input DeployInput {
    app: String!
    environment: String!
    manifest: JSON!
    parts: [PartInput!]!
    secrets: JSON!
    revision: Int
    allowRemovals: Boolean!
  }

  "A requested endpoint that cannot be provisioned, and the reason."
  input DeclinedInput { name: String! code: String! message: String! hint: String }
  "wanted: names that workers of the dev server looked up and that have no endpoint yet. lost: ids of its endpoints that no longer exist."
  type Renewal { wanted: [String!]! lost: [ID!]! }
  input RunInput { id: ID! app: String! environment: String! }
  "A part that was not uploaded before: its bytes as base64."
  input CarriedPartInput { content: String! bytes: String! }
  input ProvisionInput {
    run: ID!
    manifest: JSON!
    parts: [PartInput!]!
    carried: [CarriedPartInput!]! = []
    secrets: JSON!
  }

  type Query {
    account: Account!
    apps: [App!]!
    environment(app: String!, name: String!): Environment
    "Lookup for calls from scripts and other endpoints: null when no endpoint has this name."
    endpoint(app: String!, environment: String!, name: String!): Endpoint
    plan(input: PlanInput!): PlanReport!
    deployment(id: ID!): Deployment
    logs(endpoint: ID!, worker: String, since: String, cursor: String, limit: Int): LogPage!
    "Newest first. Empty when the environment does not exist."
    history(app: String!, environment: String!): [Build!]!
    keys: [Key!]!
  }

  type Mutation {
    prepareUpload(parts: [PartInput!]!): [UploadTicket!]!
    "Computes the plan, checks everything and starts the rollout. Returns at once; follow it with deployment(id)."
    deploy(input: DeployInput!): Deployment!
    "Removes endpoints by name, or all when names is null. Returns their names once their workers are gone."
    undeploy(app: String!, environment: String!, names: [String!]): [String!]!
    "Fails with CONFLICT when an app of this name exists."
    createApp(name: String!): App!
    "Removes its environments and endpoints too. Returns the app as it was before the removal."
    deleteApp(name: String!): App!
    createEnvironment(app: String!, name: String!): Environment!
    deleteEnvironment(app: String!, name: String!): Environment!
    "Heartbeat of a dev server's run, with the ids of its endpoints. Waits up to the given milliseconds for something to report."
    renewRun(run: RunInput!, declined: [DeclinedInput!]!, serving: [ID!]!, wait: Int!): Renewal!
    "Resumes a run that ended without being released. False when it no longer exists or is still alive."
    resumeRun(run: RunInput!): Boolean!
    "Creates or updates one live endpoint of a run; follow it with deployment(id)."
    provision(input: ProvisionInput!): Deployment!
    "Removes live endpoints of a run; without names, all of them and the run itself. Returns their names."
    releaseRun(run: ID!, names: [String!]): [String!]!
    createKey(scope: String!, name: String, endpoints: [String!]): CreatedKey!
    revokeKey(id: ID!): Boolean!
  }
`;

/** The response of `GET /`, which needs no key. It tells one platform from another on a reused port. */
export interface PlatformIdentity {
  service: 'toolkit-platform';
  apiVersion: number;
  version: string;
  /** Random for each start. Equal to `instance` in the record in TOOLKIT_HOME. */
  instance: string;
}

/** TOOLKIT_HOME/platform.json: the address of the embedded platform. */
export interface PlatformRecord {
  url: string;
  pid: number;
  instance: string;
  /** ISO 8601. */
  startedAt: string;
  apiVersion: number;
  version: string;
  driver: 'process' | 'container' | 'ray';
}

/** Files of TOOLKIT_HOME. */
export const HOME_FILES = {
  record: 'platform.json',
  credentials: 'credentials.json',
  platformDir: 'platform',
  /** Records and sockets of dev servers. */
  devDir: 'dev',
  platformLog: 'platform/platform.log',
  /** For builds: wheels, parts, uv. */
  cache: 'cache',
  /** Facts of unchanged source files. */
  factsCache: 'cache/facts',
  /** For workers: unpacked parts, base layers, compiled code. */
  nodeCache: 'cache/node',
} as const;

/** TOOLKIT_HOME/credentials.json, mode 0600: one key per platform address. */
export type Credentials = Record<string, { key: string }>;
