/** Builds the commander program from the table of commands: parsing, help with examples, suggestions for typos. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ToolkitError } from '../contract/errors.ts';
import type { CommandSpec, FlagSpec } from './commandSpec.ts';
import { COMMAND_GROUPS, COMMANDS, GLOBAL_FLAGS, HIDDEN_COMMANDS } from './commands.ts';
import type { GlobalFlags } from './session.ts';
import { VERSION } from './version.ts';

type Call = (
  spec: CommandSpec,
  args: string[],
  flags: Record<string, unknown>,
  global: GlobalFlags,
) => Promise<void>;

/**
 * Creates the parser.
 *
 * @param call Called with the command that was parsed.
 * @returns Parses the arguments and calls the command; throws ToolkitError USAGE for arguments that match no command.
 */
export function createProgram(call: Call): (args: string[]) => Promise<void> {
  const program = new Command('toolkit')
    .description('Mark a Python function with @Endpoint and call it at a URL.')
    .usage('[options] COMMAND')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nFor the flags and examples of a command, run: toolkit COMMAND --help');
  for (const flag of GLOBAL_FLAGS) program.addOption(optionOf(flag));
  quieten(program);
  for (const [heading, specs] of COMMAND_GROUPS)
    for (const spec of specs) addCommand(program, spec, call).helpGroup(heading);
  for (const spec of HIDDEN_COMMANDS) addCommand(program, spec, call, { hidden: true });
  return async (args) => {
    try {
      await program.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // Exit code 0: help or the version was requested and is already printed.
      if (error.exitCode === 0 || error.code === 'commander.help') {
        if (error.code === 'commander.help') throw usage('No command was given.', helpOf(args), error);
        return;
      }
      throw usage(sentence(error.message), helpOf(args), error);
    }
  };
}

/** The `--help` command line for the deepest command that the arguments name. */
function helpOf(args: string[]): string {
  const words = ['toolkit'];
  let specs = COMMANDS;
  for (const word of args) {
    const spec = specs.find(({ name }) => name === word);
    if (!spec) continue;
    words.push(word);
    specs = spec.commands ?? [];
  }
  return [...words, '--help'].join(' ');
}

function addCommand(
  parent: Command,
  spec: CommandSpec,
  call: Call,
  { name = spec.name, hidden = false } = {},
): Command {
  const command = parent
    .command(name, { hidden })
    .summary(spec.summary)
    .description(spec.summary)
    .helpOption('-h, --help', 'print this help');
  quieten(command);
  if (spec.alias && name === spec.name) addCommand(parent, spec, call, { name: spec.alias, hidden: true });
  for (const [argument, description] of spec.arguments ?? []) command.argument(argument, description);
  for (const flag of spec.flags ?? []) command.addOption(optionOf(flag));
  command.addHelpText(
    'after',
    [
      '',
      'Examples:',
      ...spec.examples.map(([line, what]) => `  ${line}\n      ${what}`),
      '',
      'For the flags of all commands, such as --env and --json, run: toolkit --help',
    ].join('\n'),
  );
  if (spec.commands) {
    for (const child of spec.commands) addCommand(command, child, call);
    return command;
  }
  return command.action(async () => {
    const empty = command.args.indexOf('');
    if (empty !== -1) {
      const [argument] = (spec.arguments ?? []).at(Math.min(empty, spec.arguments!.length - 1))!;
      throw new CommanderError(1, 'toolkit.emptyArgument', `The argument ${argument} is empty.`);
    }
    const global = command.optsWithGlobals<Record<string, unknown>>();
    await call(spec, command.args, command.opts(), {
      project: (global['project'] as string | undefined) ?? null,
      app: (global['app'] as string | undefined) ?? null,
      env: (global['env'] as string | undefined) ?? null,
      json: global['json'] === true,
      quiet: global['quiet'] === true,
      verbose: global['verbose'] === true,
    });
  });
}

function optionOf({ flags, description, choices, hidden }: FlagSpec): Option {
  const option = new Option(flags, description).hideHelp(hidden ?? false);
  if (choices) return option.choices(choices);
  if (!option.required) return option;
  return option.argParser((value: string) => {
    // Commander would take the next flag as the value of a flag that has none.
    if (value.startsWith('--'))
      throw new InvalidArgumentError('The value is missing: the next word is a flag.');
    if (value === '') throw new InvalidArgumentError('The value is empty.');
    return value;
  });
}

/** Stops commander from exiting and printing errors: run.ts does both. */
function quieten(command: Command): void {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ writeErr: () => {} })
    .helpCommand(false);
}

/** `error: unknown command 'chekc'\n(Did you mean check?)` → one sentence. */
function sentence(message: string): string {
  const flat = message
    .replace(/^error: /, '')
    .replaceAll("'", '"')
    .replace(/\n\((.*)\)/, '. $1')
    .trim();
  const capital = flat.charAt(0).toUpperCase() + flat.slice(1);
  return /[.?!]$/.test(capital) ? capital : `${capital}.`;
}

function usage(message: string, command: string, cause: unknown): ToolkitError {
  return new ToolkitError('USAGE', message, { hint: `Run "${command}" for usage.`, cause });
}
