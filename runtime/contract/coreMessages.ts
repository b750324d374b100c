/**
 * The messages between an editor and the toolkit core over the IPC channel of `toolkit core`. The editor
 * sends typed calls, answers to questions and cancellations; the core sends progress, questions, lines and
 * results.
 */
import type {
  BuildDocument,
  DeployDocument,
  EnvironmentsDocument,
  InitDocument,
  LogLineDocument,
  SdkInstallDocument,
  UndeployDocument,
} from './cliDocuments.ts';
import type { Plan, RemoteEndpoint } from './deployment.ts';
import type { DevRecord } from './devSocket.ts';
import type { ErrorBody } from './errors.ts';
import type { ProgressEvent } from './progress.ts';

/** The result of each command, and the lines that it sends. CLI commands use the documents of `--json`. */
export interface CoreCommands {
  init: { result: InitDocument };
  build: { result: BuildDocument };
  deploy: { result: DeployDocument };
  undeploy: { result: UndeployDocument };
  'env list': { result: EnvironmentsDocument };
  'sdk install': { result: SdkInstallDocument };
  /** With the flag `follow` it runs until it is cancelled. */
  logs: { result: undefined; line: LogLineDocument };
  /** What is deployed in the project's environment. Starts nothing. */
  deployed: { result: DeployedProject };
  /** What a deploy would change. Starts nothing, downloads nothing and changes nothing. */
  pending: { result: PendingChanges };
  /**
   * The project's dev servers that respond, newest first. With the flag `follow` it sends them again after
   * each change, until it is cancelled.
   */
  'dev records': { result: DevRecord[]; line: DevRecord[] };
  /** The account that the project's key belongs to. The error says why the key is not accepted. */
  account: { result: CoreAccount };
}

export type CoreCommand = keyof CoreCommands;

export interface DeployedProject {
  app: string;
  environment: string;
  /** Null when the embedded platform is not running: nothing is known about it then. */
  platform: { url: string; embedded: boolean } | null;
  /** Persistent endpoints, sorted by name. */
  endpoints: RemoteEndpoint[];
}

export type PendingChanges =
  | { state: 'known'; plan: Plan }
  /** `reason` is one sentence. */
  | { state: 'unknown'; reason: string };

export interface CoreAccount {
  platform: string;
  account: string;
}

/** A plan that the user must confirm before it is carried out. */
export interface PlanReview {
  app: string;
  environment: string;
  plan: Plan;
  /** Where this platform deviates from the request, one sentence each. */
  notes: string[];
}

/** Something that the user must confirm. */
export type CoreQuestion =
  | { kind: 'plan'; review: PlanReview }
  /** `message` is one question, such as "Remove gpu_worker from shop/production?" */
  | { kind: 'consent'; message: string };

/** One run of a command. */
export interface CoreCall {
  /** Chosen by the editor; all messages about the call carry it. */
  call: number;
  command: CoreCommand;
  /** The project's root, or null for a command without a project. */
  project: string | null;
  /** Null for the project's default; likewise `environment`. */
  app: string | null;
  environment: string | null;
  args: string[];
  /** By long name, in camel case. */
  flags: Record<string, string | boolean>;
  /** Environment variables that override those of the process, such as TOOLKIT_PYTHON. */
  variables: Record<string, string>;
  /** Platform address → key, from the editor's secret storage. */
  keys: Record<string, string>;
}

/** Editor → core. */
export type CoreRequest = CoreCall | { cancel: number } | { answer: number; yes: boolean };

/** Core → editor. */
export type CoreMessage = { call: number } & (
  | { progress: ProgressEvent }
  /** A sentence in addition to the result. */
  | { note: string }
  | { line: unknown }
  /** The call waits for the answer. A no ends it. */
  | { question: CoreQuestion }
  | { result: unknown }
  | { error: ErrorBody }
);
