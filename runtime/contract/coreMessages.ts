/**
 * What an editor and the toolkit core say to each other over the IPC channel of `toolkit core`: typed calls, answers to
 * questions and cancellation one way; progress, questions, lines and results the other.
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

/** By command, its result, and what it sends line by line; the commands of the CLI have those of `--json`. */
export interface CoreCommands {
  init: { result: InitDocument };
  build: { result: BuildDocument };
  deploy: { result: DeployDocument };
  undeploy: { result: UndeployDocument };
  'env list': { result: EnvironmentsDocument };
  'sdk install': { result: SdkInstallDocument };
  /** With the flag `follow` it ends when it is cancelled. */
  logs: { result: undefined; line: LogLineDocument };
  /** What runs in the project's environment. Starts nothing. */
  deployed: { result: DeployedProject };
  /** What a deploy would do. Starts nothing, downloads nothing and changes nothing. */
  pending: { result: PendingChanges };
  /**
   * The dev servers of the project that answer, the newest first. With the flag `follow` it also sends them whenever
   * they have changed, and ends when it is cancelled.
   */
  'dev records': { result: DevRecord[]; line: DevRecord[] };
  /** Whose the key for the project's platform is; the error is why it is not accepted. */
  account: { result: CoreAccount };
}

export type CoreCommand = keyof CoreCommands;

export interface DeployedProject {
  app: string;
  environment: string;
  /** Null when the embedded platform does not run: then nothing of it is known. */
  platform: { url: string; embedded: boolean } | null;
  /** Persistent ones, sorted by name. */
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

/** A plan that somebody has to agree to before it is carried out. */
export interface PlanReview {
  app: string;
  environment: string;
  plan: Plan;
  /** What this platform does otherwise than asked, one sentence each. */
  notes: string[];
}

/** Something that needs a yes. */
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
  /** Null for the project's own. */
  app: string | null;
  environment: string | null;
  args: string[];
  /** By their long names, in camel case. */
  flags: Record<string, string | boolean>;
  /** Environment variables over those of the process, such as TOOLKIT_PYTHON. */
  variables: Record<string, string>;
  /** Platform address → key, from where the editor keeps secrets. */
  keys: Record<string, string>;
}

/** Editor → core. */
export type CoreRequest = CoreCall | { cancel: number } | { answer: number; yes: boolean };

/** Core → editor. */
export type CoreMessage = { call: number } & (
  | { progress: ProgressEvent }
  /** A sentence beside the result. */
  | { note: string }
  | { line: unknown }
  /** Its call waits for the answer; a no ends it. */
  | { question: CoreQuestion }
  | { result: unknown }
  | { error: ErrorBody }
);
