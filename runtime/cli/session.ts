/** One run of a command: its environment, its flags, and its output. */
import type { PlanReview } from '../contract/coreMessages.ts';
import type { ReportProgress } from '../contract/progress.ts';

/** Flags that every command accepts. */
export interface GlobalFlags {
  project: string | null;
  app: string | null;
  env: string | null;
  json: boolean;
  quiet: boolean;
  verbose: boolean;
}

export interface Session {
  flags: GlobalFlags;
  cwd: string;
  /** The process's environment. */
  env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl+C and SIGTERM. */
  signal: AbortSignal;
  /** Platform address → key, from the editor that started the toolkit. */
  editorKeys: Readonly<Record<string, string>>;
  /** Whether it can prompt for text: stdin and stderr are terminals, no `--json`, no CI. */
  interactive: boolean;
  /** Asks a yes/no question; null if nobody can answer. */
  confirm: ((question: string) => Promise<boolean>) | null;
  /** Asks for approval of every plan; null if plans are only printed, and only removals need confirmation. */
  review: ((plan: PlanReview) => Promise<boolean>) | null;
  /** Progress on stderr; nothing with `--quiet`. */
  report: ReportProgress;
  /** Clears the progress that `report` shows, before other text is written. */
  settle(): void;
  /** Prints the command's result to stdout: the JSON document with `--json`, else the text. */
  result(document: unknown, text: string): void;
  /** Prints one line of a stream of results (`logs`). */
  line(document: unknown, text: string): void;
  /** Prints a message that is not a result to stderr; nothing with `--quiet`. */
  note(text: string): void;
}

/** The input of a command: positional arguments and its own flags by their long names. */
interface Invocation {
  args: string[];
  flags: Record<string, unknown>;
  session: Session;
}

/** Runs a command. A returned number is the exit code; the default is 0. */
export type Handler = (invocation: Invocation) => Promise<number | void>;

/** A string flag's value; null if it was not given. */
export function textFlag(flags: Record<string, unknown>, name: string): string | null {
  const value = flags[name];
  return typeof value === 'string' ? value : null;
}
