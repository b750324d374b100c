/** Every command as data: help, completion and documentation come from here; handlers load when they are called. */
import type { Handler } from './session.ts';

interface FlagSpec {
  /** As commander writes it: `-f, --force`, `--exclude <names>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
}

export interface CommandSpec {
  name: string;
  summary: string;
  /** `[PROJECT_NAME]`, `<NAME>`, `[PATH...]` with a description each. */
  arguments?: [string, string][];
  flags?: FlagSpec[];
  /** Lines of `--help`: a command and what it does. */
  examples: [string, string][];
  load?: () => Promise<{ handle: Handler }>;
  commands?: CommandSpec[];
}

const yes: FlagSpec = { flags: '--yes', description: 'answer yes to every question' };

export const COMMANDS: CommandSpec[] = [
  {
    name: 'init',
    summary: 'Create a project from a template.',
    arguments: [['[PROJECT_NAME]', 'folder to create; "." for the current one']],
    flags: [
      { flags: '-f, --force', description: 'overwrite existing files without asking' },
      { flags: '--template <name>', description: 'which template', choices: ['default', 'tutorial'] },
    ],
    examples: [
      ['toolkit init demo', 'a project in ./demo'],
      ['toolkit init . --template tutorial', 'the tutorial in this folder'],
    ],
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'list',
    summary: "Show the project's endpoints, read from its code.",
    examples: [
      ['toolkit list', 'endpoints, routes and where they stand'],
      ['toolkit list --json', 'the same for programs'],
    ],
    load: () => import('./commands/list.ts'),
  },
  {
    name: 'check',
    summary: 'Find mistakes without running or deploying anything.',
    arguments: [['[PATH...]', 'report only on these files and folders']],
    flags: [{ flags: '--strict', description: 'warnings fail too' }],
    examples: [
      ['toolkit check', 'the whole project'],
      ['toolkit check gpu_worker.py --strict', 'one file, warnings fail too'],
    ],
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'build',
    summary: 'Build the artifact: handlers, manifest, dependencies, archive.',
    flags: [
      { flags: '--exclude <names>', description: 'packages to leave out, separated by commas' },
      { flags: '--keep-build', description: 'keep .toolkit/.build' },
      {
        flags: '--output <file>',
        description: 'write the artifact there instead of .toolkit/artifact.tar.gz',
      },
      { flags: '--upgrade', description: 'resolve dependencies anew and renew pylock.toml' },
    ],
    examples: [
      ['toolkit build', 'into .toolkit/artifact.tar.gz'],
      ['toolkit build --exclude scipy,pandas', 'without two packages that the image has'],
    ],
    load: () => import('./commands/build.ts'),
  },
  {
    name: 'deploy',
    summary: 'Build, upload, provision and configure the endpoints.',
    flags: [{ flags: '--exclude <names>', description: 'packages to leave out, separated by commas' }, yes],
    examples: [
      ['toolkit deploy', 'to the environment "production"'],
      ['toolkit deploy --env staging', 'to another environment, created when it is missing'],
    ],
    load: () => import('./commands/deploy.ts'),
  },
  {
    name: 'call',
    summary: 'Call a deployed endpoint.',
    arguments: [['<NAME>', "the endpoint's name"]],
    flags: [
      { flags: '--input <json>', description: 'JSON, @FILE, or - for standard input' },
      {
        flags: '--route <route>',
        description: 'a route of a load-balanced endpoint, such as "POST /process"',
      },
      { flags: '--timeout <seconds>', description: 'how long to wait (60)' },
    ],
    examples: [
      [`toolkit call cpu_worker --input '{"numbers": [1, 2]}'`, 'run one job and wait for it'],
      ['toolkit call lb_worker --route "GET /health"', 'ask a route'],
    ],
    load: () => import('./commands/call.ts'),
  },
  {
    name: 'status',
    summary: 'Show what is deployed: workers, jobs, addresses.',
    arguments: [['[NAME]', 'one endpoint']],
    examples: [['toolkit status', 'everything in this app and environment']],
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'logs',
    summary: "Show what an endpoint's workers wrote.",
    arguments: [['<NAME>', "the endpoint's name"]],
    flags: [{ flags: '--worker <id>', description: 'only this worker' }],
    examples: [['toolkit logs gpu_worker', 'the last lines of all its workers']],
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'platform',
    summary: 'Control the embedded hosting platform.',
    examples: [
      ['toolkit platform start', 'start it; deploy does so by itself'],
      ['toolkit platform stop', 'stop it and all its workers; what is deployed stays on record'],
    ],
    commands: [
      {
        name: 'start',
        summary: 'Start the embedded platform, or find the running one.',
        flags: [
          { flags: '--port <number>', description: 'port to listen on (8890, or the next free one)' },
          { flags: '--quota <number>', description: 'workers over all endpoints (30)' },
          {
            flags: '--gpu <mode>',
            description: 'auto: use GPUs where there are some; require: wait for one; none: never',
            choices: ['auto', 'require', 'none'],
          },
        ],
        examples: [
          ['toolkit platform start --gpu require', 'GPU endpoints wait for a GPU instead of using the CPU'],
        ],
        load: () => import('./commands/platformStart.ts'),
      },
      {
        name: 'stop',
        summary: 'Stop the embedded platform and its workers.',
        examples: [['toolkit platform stop', 'endpoints come back with the next start']],
        load: () => import('./commands/platformStop.ts'),
      },
      {
        name: 'status',
        summary: 'Tell whether the embedded platform runs, and where.',
        examples: [['toolkit platform status --json', 'for programs']],
        load: () => import('./commands/platformStatus.ts'),
      },
      {
        name: 'key',
        summary: "Print the embedded platform's key, and nothing else.",
        examples: [['curl -H "Authorization: Bearer $(toolkit platform key)" …', 'use it in a request']],
        load: () => import('./commands/platformKey.ts'),
      },
    ],
  },
  {
    name: 'sdk',
    summary: 'The Python package toolkit_sdk.',
    examples: [['toolkit sdk install', 'into the active virtual environment']],
    commands: [
      {
        name: 'install',
        summary: 'Install the bundled toolkit_sdk into an interpreter or virtual environment.',
        flags: [{ flags: '--python <path>', description: 'interpreter or virtual environment' }],
        examples: [['toolkit sdk install --python .venv', 'into that environment']],
        load: () => import('./commands/sdkInstall.ts'),
      },
    ],
  },
];
