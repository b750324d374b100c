/** Commands on apps, environments and keys of a platform. */
import { type CommandSpec, YES } from '../commandSpec.ts';

const APP_COMMANDS: CommandSpec[] = [
  {
    name: 'list',
    summary: 'Show the apps and their environments.',
    examples: [['toolkit app list', 'all that your key may see']],
    load: () => import('../commands/appList.ts'),
  },
  {
    name: 'create',
    summary: 'Create an app without deploying to it.',
    arguments: [['<NAME>', "the app's name"]],
    examples: [['toolkit app create shop', 'an app without environments']],
    load: () => import('../commands/appCreate.ts'),
  },
  {
    name: 'delete',
    summary: 'Delete an app with its environments and endpoints.',
    arguments: [['<NAME>', "the app's name"]],
    flags: [YES],
    examples: [['toolkit app delete shop', 'asks first']],
    load: () => import('../commands/appDelete.ts'),
  },
];

const ENVIRONMENT_COMMANDS: CommandSpec[] = [
  {
    name: 'list',
    summary: "Show the app's environments.",
    examples: [['toolkit env list --app shop', 'of an app by name']],
    load: () => import('../commands/envList.ts'),
  },
  {
    name: 'create',
    summary: 'Create an environment without deploying to it.',
    arguments: [['<NAME>', "the environment's name"]],
    examples: [['toolkit env create staging', "in this project's app"]],
    load: () => import('../commands/envCreate.ts'),
  },
  {
    name: 'delete',
    summary: 'Delete an environment with its endpoints.',
    arguments: [['<NAME>', "the environment's name"]],
    flags: [YES],
    examples: [['toolkit env delete staging', 'asks first']],
    load: () => import('../commands/envDelete.ts'),
  },
  {
    name: 'show',
    summary: 'Show one environment: its build and its endpoints.',
    arguments: [['[NAME]', 'the environment; else the one of --env']],
    examples: [['toolkit env show staging', 'what is deployed there']],
    load: () => import('../commands/envShow.ts'),
  },
];

export const ACCOUNT_COMMANDS: CommandSpec[] = [
  {
    name: 'app',
    summary: 'Apps of the platform.',
    examples: [['toolkit app list', 'all apps']],
    commands: APP_COMMANDS,
  },
  {
    name: 'env',
    summary: "Environments of this project's app.",
    examples: [['toolkit env show staging', 'one of them']],
    commands: ENVIRONMENT_COMMANDS,
  },
  {
    name: 'login',
    summary: 'Store a key for the platform that PLATFORM_API_URL names.',
    flags: [{ flags: '--key <source>', description: 'only -, which reads the key from standard input' }],
    examples: [
      ['toolkit login', 'asks for the key and does not show it'],
      ['toolkit login --key - < key.txt', 'for scripts'],
    ],
    load: () => import('../commands/login.ts'),
  },
  {
    name: 'logout',
    summary: 'Forget the key that login stored.',
    examples: [['toolkit logout', 'for the platform that PLATFORM_API_URL names']],
    load: () => import('../commands/logout.ts'),
  },
];
