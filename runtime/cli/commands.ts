/** Every command as data, in the order of `--help`; completion and documentation come from here too. */
import type { CommandSpec, FlagSpec } from './commandSpec.ts';
import { ACCOUNT_COMMANDS } from './table/account.ts';
import { DEPLOYED_COMMANDS } from './table/deployed.ts';
import { MACHINE_COMMANDS } from './table/machine.ts';
import { PROJECT_COMMANDS } from './table/project.ts';

/** Heading of `--help` → its commands. */
export const COMMAND_GROUPS: [string, CommandSpec[]][] = [
  ['Your project:', PROJECT_COMMANDS],
  ['What is deployed:', DEPLOYED_COMMANDS],
  ['Apps and accounts:', ACCOUNT_COMMANDS],
  ['This machine:', MACHINE_COMMANDS],
];

/** For programs alone: no help or completion shows them. */
export const HIDDEN_COMMANDS: CommandSpec[] = [
  {
    name: 'core',
    summary: 'Serve the commands to an editor, over an IPC channel.',
    examples: [['toolkit core', 'started by the extension of VS Code']],
    load: () => import('./commands/core.ts'),
  },
];

export const COMMANDS: CommandSpec[] = COMMAND_GROUPS.flatMap(([, commands]) => commands);

/** Taken by every command, before or after its name. */
export const GLOBAL_FLAGS: FlagSpec[] = [
  { flags: '--project <dir>', description: "the project's root (found upward from here)" },
  { flags: '--app <name>', description: 'app name instead of the one in pyproject.toml' },
  { flags: '--env <name>', description: 'environment (production)' },
  { flags: '--json', description: 'print one JSON document' },
  { flags: '--quiet', description: 'no progress, no messages' },
  { flags: '--verbose', description: 'more detail' },
  { flags: '--no-color', description: 'no colours' },
];
