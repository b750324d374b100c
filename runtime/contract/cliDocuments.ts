/** Schemas of what `--json` prints, one per command. Scripts and the editor's tasks rely on them. */
import * as z from 'zod/mini';
import type { DiagnosticCode } from './diagnostic.ts';
import { DIAGNOSTIC_SEVERITY } from './diagnosticSeverity.ts';
import { ERROR_CODES, type ErrorCode } from './errors.ts';

const count = z.int().check(z.nonnegative());
const position = z.strictObject({ line: count, character: count });
const range = z.strictObject({ start: position, end: position });

const diagnosticCode = z.enum(Object.keys(DIAGNOSTIC_SEVERITY) as [DiagnosticCode, ...DiagnosticCode[]]);
const errorCode = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);

export const errorDocument = z.strictObject({
  error: z.strictObject({ code: errorCode, message: z.string(), hint: z.nullable(z.string()) }),
});

export const diagnosticDocument = z.strictObject({
  code: diagnosticCode,
  severity: z.enum(['error', 'warning', 'hint']),
  message: z.string(),
  file: z.string(),
  range,
  related: z.array(z.strictObject({ file: z.string(), range, message: z.string() })),
  fix: z.nullable(z.string()),
});

const parameter = z.strictObject({
  name: z.string(),
  annotation: z.nullable(z.string()),
  default: z.nullable(z.string()),
  required: z.boolean(),
  kind: z.enum(['positional-only', 'positional-or-keyword', 'var-positional', 'keyword-only', 'var-keyword']),
});

const line = z.int().check(z.positive());

export const endpointDocument = z.strictObject({
  name: z.nullable(z.string()),
  kind: z.enum(['queue', 'load-balanced']),
  file: z.string(),
  line,
  hardware: z.nullable(z.union([z.strictObject({ gpu: z.string() }), z.strictObject({ cpu: z.string() })])),
  workers: z.nullable(z.strictObject({ min: count, max: count })),
  idleTimeout: z.nullable(count),
  dependencies: z.nullable(z.array(z.string())),
  env: z.nullable(z.record(z.string(), z.nullable(z.string()))),
  envFrom: z.record(z.string(), z.strictObject({ name: z.string(), default: z.nullable(z.string()) })),
  image: z.nullable(z.string()),
  gpuCount: z.nullable(count),
  executionTimeout: z.nullable(z.number()),
  maxConcurrency: z.nullable(count),
  command: z.nullable(z.array(z.string())),
  functions: z.array(
    z.strictObject({
      name: z.string(),
      class: z.nullable(z.string()),
      module: z.string(),
      file: z.string(),
      line,
      async: z.boolean(),
      description: z.nullable(z.string()),
      parameters: z.array(parameter),
      returnsBytes: z.optional(z.literal(true)),
    }),
  ),
  routes: z.array(
    z.strictObject({
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: z.string(),
      instance: z.string(),
      function: z.string(),
      module: z.string(),
      file: z.string(),
      line,
      description: z.nullable(z.string()),
    }),
  ),
  dynamic: z.array(z.string()),
  deployed: z.nullable(z.strictObject({ id: z.string(), url: z.string(), build: count })),
  alternative: z.optional(z.literal(true)),
});

export const initDocument = z.strictObject({
  project: z.string(),
  files: z.array(z.string()),
  next: z.array(z.string()),
});

export const listDocument = z.strictObject({
  app: z.string(),
  environment: z.string(),
  root: z.string(),
  endpoints: z.array(endpointDocument),
  diagnostics: z.array(diagnosticDocument),
});

export const checkDocument = z.strictObject({
  diagnostics: z.array(diagnosticDocument),
  summary: z.strictObject({ files: count, endpoints: count, errors: count, warnings: count, hints: count }),
});

export const buildDocument = z.strictObject({
  artifact: z.string(),
  manifest: z.string(),
  bytes: count,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  endpoints: z.array(z.string()),
  excluded: z.array(z.string()),
  seconds: z.number(),
});

const plan = z.strictObject({
  create: z.array(z.string()),
  update: z.array(z.strictObject({ name: z.string(), reasons: z.array(z.string()) })),
  unchanged: z.array(z.string()),
  remove: z.array(z.string()),
});

export const deployDocument = z.strictObject({
  app: z.string(),
  environment: z.string(),
  build: count,
  plan,
  loadBalanced: z.array(
    z.strictObject({ name: z.string(), id: z.string(), url: z.string(), routes: z.array(z.string()) }),
  ),
  queueBased: z.array(z.strictObject({ name: z.string(), id: z.string(), url: z.string() })),
});

export const statusDocument = z.strictObject({
  app: z.string(),
  environment: z.string(),
  endpoints: z.array(
    z.strictObject({
      name: z.string(),
      id: z.string(),
      kind: z.enum(['queue', 'load-balanced']),
      url: z.string(),
      build: count,
      live: z.boolean(),
      hardware: z.string(),
      workers: z.strictObject({
        min: count,
        max: count,
        idle: count,
        initializing: count,
        running: count,
        unhealthy: count,
      }),
      jobs: z.strictObject({
        inQueue: count,
        inProgress: count,
        completed: count,
        failed: count,
        retried: count,
      }),
    }),
  ),
  workersMax: count,
  quota: count,
});

/** One line of `logs`. */
export const logLineDocument = z.strictObject({
  time: z.string(),
  level: z.enum(['debug', 'info', 'warning', 'error']),
  worker: z.string(),
  request: z.nullable(z.string()),
  message: z.string(),
});

export const undeployDocument = z.strictObject({ removed: z.array(z.string()) });

/** `history`: newest first; `endpoints` are names, `time` is ISO 8601. */
export const historyDocument = z.strictObject({
  builds: z.array(
    z.strictObject({
      build: count,
      time: z.string(),
      endpoints: z.array(z.string()),
      current: z.boolean(),
    }),
  ),
});

/** `app list`, `app create` and `app delete`: all apps, or the one that was created or deleted. */
export const appsDocument = z.array(
  z.strictObject({ name: z.string(), environments: z.array(z.string()), endpoints: count }),
);

/** `env list`, `env create`, `env delete` and `env show`; `endpoints` are names, `build` is 0 before a deploy. */
export const environmentsDocument = z.array(
  z.strictObject({ name: z.string(), app: z.string(), build: count, endpoints: z.array(z.string()) }),
);

/** `login` and `logout`; `account` is null after a logout. */
export const loginDocument = z.strictObject({ platform: z.string(), account: z.nullable(z.string()) });

export const doctorDocument = z.strictObject({
  checks: z.array(
    z.strictObject({
      name: z.string(),
      ok: z.boolean(),
      detail: z.string(),
      fix: z.nullable(z.string()),
    }),
  ),
});

/** `platform start`, `stop` and `status`. */
export const platformDocument = z.strictObject({
  running: z.boolean(),
  url: z.nullable(z.string()),
  pid: z.nullable(count),
  home: z.string(),
  driver: z.nullable(z.enum(['process', 'container', 'ray'])),
  version: z.nullable(z.string()),
});

export const sdkInstallDocument = z.strictObject({
  python: z.string(),
  version: z.string(),
});

export type InitDocument = z.infer<typeof initDocument>;
export type ListDocument = z.infer<typeof listDocument>;
export type CheckDocument = z.infer<typeof checkDocument>;
export type BuildDocument = z.infer<typeof buildDocument>;
export type DeployDocument = z.infer<typeof deployDocument>;
export type LogLineDocument = z.infer<typeof logLineDocument>;
export type SdkInstallDocument = z.infer<typeof sdkInstallDocument>;
export type StatusDocument = z.infer<typeof statusDocument>;
export type UndeployDocument = z.infer<typeof undeployDocument>;
export type HistoryDocument = z.infer<typeof historyDocument>;
export type AppsDocument = z.infer<typeof appsDocument>;
export type EnvironmentsDocument = z.infer<typeof environmentsDocument>;
export type DoctorDocument = z.infer<typeof doctorDocument>;
export type PlatformDocument = z.infer<typeof platformDocument>;
