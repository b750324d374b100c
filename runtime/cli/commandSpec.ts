/** The type of a command's declaration; the tables in table/ consist of these. */
import type { Handler } from './session.ts';

export interface FlagSpec {
  /** In commander's syntax: `-f, --force`, `--exclude <names>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  /** For programs only: help and completion omit it. */
  hidden?: true;
}

export interface CommandSpec {
  name: string;
  /** A second name, omitted from help. */
  alias?: string;
  summary: string;
  /** Pairs of an argument (`[NAME]`, `<NAME>`, `[PATH...]`) and its description. */
  arguments?: [string, string][];
  /** What shell completion offers for an argument; nothing if absent. */
  completes?: 'endpoint' | 'path' | readonly string[];
  flags?: FlagSpec[];
  /** Shown by `--help`: pairs of a command line and what it does. */
  examples: [string, string][];
  load?: () => Promise<{ handle: Handler }>;
  commands?: CommandSpec[];
}

/** For every command that asks for confirmation. */
export const YES: FlagSpec = { flags: '--yes', description: 'answer yes to all prompts' };
