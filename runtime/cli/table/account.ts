/** Commands for the apps, environments and keys of a platform. */
import { type CommandSpec, YES } from '../commandSpec.ts';

const APP_COMMANDS: CommandSpec[] = [
  {
    name: 'list',
    summary: 'Show the apps and their environments.',
    examples: [['toolkit app list', 'show all apps that your key can access']],
    load: () => import('../commands/appList.ts'),
  },
  {
    name: 'create',
    summary: 'Create an app without deploying to it.',
    arguments: [['<NAME>', "the app's name"]],
    examples: [['toolkit app create shop', 'create an app without environments']],
    load: () => import('../commands/appCreate.ts'),
  },
  {
    name: 'delete',
    summary: 'Delete an app with its environments and endpoints.',
    arguments: [['<NAME>', "the app's name"]],
    flags: [YES],
    examples: [['toolkit app delete shop', 'delete the app after asking']],
    load: () => import('../commands/appDelete.ts'),
  },
];

const ENVIRONMENT_COMMANDS: CommandSpec[] = [
  {
    name: 'list',
    summary: "Show the app's environments.",
    examples: [['toolkit env list --app shop', 'show the environments of another app']],
    load: () => import('../commands/envList.ts'),
  },
  {
    name: 'create',
    summary: 'Create an environment without deploying to it.',
    arguments: [['<NAME>', "the environment's name"]],
    examples: [['toolkit env create staging', "create it in this project's app"]],
    load: () => import('../commands/envCreate.ts'),
  },
  {
    name: 'delete',
    summary: 'Delete an environment with its endpoints.',
    arguments: [['<NAME>', "the environment's name"]],
    flags: [YES],
    examples: [['toolkit env delete staging', 'delete the environment after asking']],
    load: () => import('../commands/envDelete.ts'),
  },
  {
    name: 'show',
    summary: 'Show one environment: its build and its endpoints.',
    arguments: [['[NAME]', "the environment's name (default: the one set by --env)"]],
    examples: [['toolkit env show staging', 'show what is deployed there']],
    load: () => import('../commands/envShow.ts'),
  },
];

export const ACCOUNT_COMMANDS: CommandSpec[] = [
  {
    name: 'app',
    summary: "Manage the platform's apps.",
    examples: [['toolkit app list', 'show all apps']],
    commands: APP_COMMANDS,
  },
  {
    name: 'env',
    summary: "Manage the environments of this project's app.",
    examples: [['toolkit env show staging', 'show one environment']],
    commands: ENVIRONMENT_COMMANDS,
  },
  {
    name: 'login',
    summary: 'Store a key for the platform at PLATFORM_API_URL.',
    flags: [
      {
        flags: '--key <source>',
        description: 'pass "-" to read the key from standard input',
      },
    ],
    examples: [
      ['toolkit login', 'prompt for the key without showing it'],
      ['toolkit login --key - < key.txt', 'read the key from a file, for scripts'],
    ],
    load: () => import('../commands/login.ts'),
  },
  {
    name: 'logout',
    summary: 'Delete the key that login stored.',
    examples: [['toolkit logout', 'delete the key of the platform at PLATFORM_API_URL']],
    load: () => import('../commands/logout.ts'),
  },
];
