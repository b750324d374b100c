/** The shape of a command as data; the tables in table/ are made of it. */
import type { Handler } from './session.ts';

export interface FlagSpec {
  /** As commander writes it: `-f, --force`, `--exclude <names>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  /** For programs alone: no help or completion shows it. */
  hidden?: true;
}

export interface CommandSpec {
  name: string;
  /** Another name, which no help shows. */
  alias?: string;
  summary: string;
  /** `[PROJECT_NAME]`, `<NAME>`, `[PATH...]` with a description each. */
  arguments?: [string, string][];
  /** What the shell offers for an argument; nothing when absent. */
  completes?: 'endpoint' | 'path' | readonly string[];
  flags?: FlagSpec[];
  /** Lines of `--help`: a command and what it does. */
  examples: [string, string][];
  load?: () => Promise<{ handle: Handler }>;
  commands?: CommandSpec[];
}

/** Of every command that asks before it removes something. */
export const YES: FlagSpec = { flags: '--yes', description: 'answer yes to every question' };
