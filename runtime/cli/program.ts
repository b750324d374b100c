/** Commander over the table of commands: parsing, help with examples, suggestions for mistyped words. */
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
 * Makes the parser.
 *
 * @param call Called with the command that was named.
 * @returns A function of the arguments; throws ToolkitError USAGE for words that fit no command.
 */
export function createProgram(call: Call): (args: string[]) => Promise<void> {
  const program = new Command('toolkit')
    .description('Mark a Python function @Endpoint and have it running behind a URL.')
    .usage('[options] COMMAND')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nEvery command has examples: toolkit COMMAND --help');
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
      // Help and version were asked for and are printed.
      if (error.exitCode === 0 || error.code === 'commander.help') {
        if (error.code === 'commander.help') throw usage('No command was given.', helpOf(args), error);
        return;
      }
      throw usage(sentence(error.message), helpOf(args), error);
    }
  };
}

/** The help of the command that the words name, as far as they name one. */
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
      'Flags of every command, such as --env and --json: toolkit --help',
    ].join('\n'),
  );
  if (spec.commands) {
    for (const child of spec.commands) addCommand(command, child, call);
    return command;
  }
  return command.action(async () => {
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
    // Commander would take the next flag for the value of one that has none.
    if (value.startsWith('--')) throw new InvalidArgumentError('It is a flag, and the value is missing.');
    return value;
  });
}

/** Commander neither exits nor prints errors: run.ts does. */
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
  return new ToolkitError('USAGE', message, { hint: `Type "${command}" for usage.`, cause });
}
