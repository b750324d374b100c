/** The state manager's GraphQL schema, the operations its clients send, and the address facts around it. */

/** Version of the HTTP and GraphQL interface; a client replaces an older embedded platform. */
export const API_VERSION = 4;

export const GRAPHQL_PATH = '/graphql';

/** Schema served at `GRAPHQL_PATH`, with `Authorization: Bearer KEY`. Errors carry `extensions.code` and `.hint`. */
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
    "The run of dev that a live endpoint belongs to."
    run: ID
    hardware: String!
    workers: Workers!
    jobs: Jobs!
    routes: [String!]!
  }

  type Environment { app: String! name: String! build: Int! revision: Int! endpoints: [Endpoint!]! }
  type App { name: String! environments: [Environment!]! }
  "One deploy that switched; newest first in history. Time is ISO 8601."
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
  "cursor continues after the last line told."
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

  "A wanted endpoint that will not come, and why."
  input DeclinedInput { name: String! code: String! message: String! hint: String }
  "Names of endpoints that the workers of a run look for in vain, and ids of endpoints that it has lost."
  type Renewal { wanted: [String!]! lost: [ID!]! }
  input RunInput { id: ID! app: String! environment: String! }
  "A part that is not uploaded: its bytes, base64."
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
    "Lookup for peers and scripts: null when there is none of that name."
    endpoint(app: String!, environment: String!, name: String!): Endpoint
    plan(input: PlanInput!): PlanReport!
    deployment(id: ID!): Deployment
    logs(endpoint: ID!, worker: String, since: String, cursor: String, limit: Int): LogPage!
    "Empty for an environment that is not there."
    history(app: String!, environment: String!): [Build!]!
    keys: [Key!]!
  }

  type Mutation {
    prepareUpload(parts: [PartInput!]!): [UploadTicket!]!
    "Computes the plan, checks everything, then rolls; answers at once, follow it with deployment(id)."
    deploy(input: DeployInput!): Deployment!
    "Removes endpoints by name, all of them when names is null; answers the names when their workers are gone."
    undeploy(app: String!, environment: String!, names: [String!]): [String!]!
    "An existing one of that name is a CONFLICT."
    createApp(name: String!): App!
    "Removes its environments and endpoints too, and answers what it was."
    deleteApp(name: String!): App!
    createEnvironment(app: String!, name: String!): Environment!
    deleteEnvironment(app: String!, name: String!): Environment!
    "Notes that a run of dev lives, whose endpoints it believes to be these. Waits (ms) until there is an answer."
    renewRun(run: RunInput!, declined: [DeclinedInput!]!, serving: [ID!]!, wait: Int!): Renewal!
    "Takes up a run that has ended without its release: false when it is gone, or lives."
    resumeRun(run: RunInput!): Boolean!
    "Makes or updates one live endpoint of a run; follow it with deployment(id)."
    provision(input: ProvisionInput!): Deployment!
    "Removes live endpoints of a run, without names all of them and the run; answers their names."
    releaseRun(run: ID!, names: [String!]): [String!]!
    createKey(scope: String!, name: String, endpoints: [String!]): CreatedKey!
    revokeKey(id: ID!): Boolean!
  }
`;

/** What `GET /` answers without a key; tells one platform from another on a reused port. */
export interface PlatformIdentity {
  service: 'toolkit-platform';
  apiVersion: number;
  version: string;
  /** Random, made at each start; equal to the record's in TOOLKIT_HOME. */
  instance: string;
}

/** TOOLKIT_HOME/platform.json: where the embedded platform answers. */
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
  /** Of builds: wheels, parts, uv. */
  cache: 'cache',
  /** Facts of unchanged source files. */
  factsCache: 'cache/facts',
  /** Of workers: unpacked parts, base layers, compiled code. */
  nodeCache: 'cache/node',
} as const;

/** TOOLKIT_HOME/credentials.json, mode 0600: one key per platform address. */
export type Credentials = Record<string, { key: string }>;
