/** Every command as data, in the order of `--help`. Completion and the documentation are generated from it. */
import type { CommandSpec, FlagSpec } from './commandSpec.ts';
import { ACCOUNT_COMMANDS } from './table/account.ts';
import { DEPLOYED_COMMANDS } from './table/deployed.ts';
import { MACHINE_COMMANDS } from './table/machine.ts';
import { PROJECT_COMMANDS } from './table/project.ts';

/** Headings of `--help`, each with its commands. */
export const COMMAND_GROUPS: [string, CommandSpec[]][] = [
  ['Your project:', PROJECT_COMMANDS],
  ['Deployments:', DEPLOYED_COMMANDS],
  ['Apps and accounts:', ACCOUNT_COMMANDS],
  ['This machine:', MACHINE_COMMANDS],
];

/** For programs only: help and completion omit them. */
export const HIDDEN_COMMANDS: CommandSpec[] = [
  {
    name: 'core',
    summary: 'Serve the commands to an editor over an IPC channel.',
    examples: [['toolkit core', 'started by the VS Code extension']],
    load: () => import('./commands/core.ts'),
  },
];

export const COMMANDS: CommandSpec[] = COMMAND_GROUPS.flatMap(([, commands]) => commands);

/** Accepted by every command, before or after its name. */
export const GLOBAL_FLAGS: FlagSpec[] = [
  {
    flags: '--project <dir>',
    description: 'project root (default: nearest project at or above the working directory)',
  },
  { flags: '--app <name>', description: 'use this app name instead of the one in pyproject.toml' },
  { flags: '--env <name>', description: 'environment (default: production)' },
  { flags: '--json', description: 'print the result as one JSON document' },
  { flags: '--quiet', description: 'print no progress and no messages' },
  { flags: '--verbose', description: 'print more detail' },
  { flags: '--no-color', description: 'print without colors' },
];
