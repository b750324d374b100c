/** The words that can follow each command, from the table of commands. The scripts of all three shells use them. */
import type { CommandSpec, FlagSpec } from '../commandSpec.ts';

/** A flag, as needed for completion. */
export interface FlagWords {
  long: string;
  short: string | null;
  description: string;
  takesValue: boolean;
  choices: readonly string[];
  /** Whether its value is a path. */
  isPath: boolean;
}

/** One command. Its path is its words, such as `platform start`; empty for `toolkit` itself. */
export interface CommandWords {
  path: string;
  subcommands: { name: string; summary: string }[];
  flags: FlagWords[];
  completes: CommandSpec['completes'] | null;
}

/** Every command, parents before children. */
export function completionWords(commands: CommandSpec[], globalFlags: FlagSpec[]): CommandWords[] {
  const root: CommandWords = {
    path: '',
    subcommands: commands.map(summarise),
    flags: [...globalFlags, { flags: '-V, --version', description: 'print the version' }, HELP].map(
      flagWords,
    ),
    completes: null,
  };
  return [root, ...commands.flatMap((spec) => below(spec, '', globalFlags))];
}

/** Shell command that prints the names of the current project's endpoints, one per line; nothing outside a project. */
export const ENDPOINT_NAMES = `toolkit list --json 2>/dev/null | grep -o '"name":"[^"]*","kind"' | cut -d'"' -f4`;

const HELP: FlagSpec = { flags: '-h, --help', description: 'print this help' };

function below(spec: CommandSpec, before: string, globalFlags: FlagSpec[]): CommandWords[] {
  const path = before === '' ? spec.name : `${before} ${spec.name}`;
  const own: CommandWords = {
    path,
    subcommands: (spec.commands ?? []).map(summarise),
    flags: [...(spec.flags ?? []).filter(({ hidden }) => !hidden), ...globalFlags, HELP].map(flagWords),
    completes: spec.completes ?? null,
  };
  return [own, ...(spec.commands ?? []).flatMap((child) => below(child, path, globalFlags))];
}

function summarise({ name, summary }: CommandSpec): { name: string; summary: string } {
  return { name, summary };
}

function flagWords({ flags, description, choices }: FlagSpec): FlagWords {
  const value = /<(\w+)>/.exec(flags)?.[1] ?? null;
  return {
    long: /--[\w-]+/.exec(flags)![0],
    short: /^(-\w),/.exec(flags)?.[1] ?? null,
    description,
    takesValue: value !== null,
    choices: choices ?? [],
    isPath: value !== null && ['file', 'dir', 'path'].includes(value),
  };
}
