/** One run of the command: its surroundings, its flags, and the two ways to say something. */
import type { PlanReview } from '../contract/coreMessages.ts';
import type { ReportProgress } from '../contract/progress.ts';

/** Flags that every command takes. */
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
  /** Platform address → key, from the editor that the toolkit works for. */
  editorKeys: Readonly<Record<string, string>>;
  /** Whether text can be asked for: stdin and stderr are terminals, no `--json`, no CI. */
  interactive: boolean;
  /** Asks for a yes; null when nobody can be asked. */
  confirm: ((question: string) => Promise<boolean>) | null;
  /** Shows every plan and asks before it is carried out; null where plans are printed, and only removals asked for. */
  review: ((plan: PlanReview) => Promise<boolean>) | null;
  /** Progress on stderr; nothing with `--quiet`. */
  report: ReportProgress;
  /** Ends what `report` has on the screen, before text of another kind. */
  settle(): void;
  /** The command's result: the JSON document with `--json`, else the text; both on stdout. */
  result(document: unknown, text: string): void;
  /** One line of a stream of results (`logs`). */
  line(document: unknown, text: string): void;
  /** A message on stderr that is no result; not with `--quiet`. */
  note(text: string): void;
}

/** What a command is given: positional arguments and its own flags, by their long names. */
interface Invocation {
  args: string[];
  flags: Record<string, unknown>;
  session: Session;
}

/** A command's work; a number is an exit code other than 0. */
export type Handler = (invocation: Invocation) => Promise<number | void>;

/** A string flag's value; null when it was not given. */
export function textFlag(flags: Record<string, unknown>, name: string): string | null {
  const value = flags[name];
  return typeof value === 'string' ? value : null;
}
