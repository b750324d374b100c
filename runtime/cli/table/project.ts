/** Commands on a project's own files. They touch no platform, but for `list --deployed`. */
import { type CommandSpec, type FlagSpec, YES } from '../commandSpec.ts';

export const EXCLUDE: FlagSpec = {
  flags: '--exclude <names>',
  description: 'packages to leave out, separated by commas',
};

export const PROJECT_COMMANDS: CommandSpec[] = [
  {
    name: 'init',
    summary: 'Create a project from a template.',
    arguments: [['[PROJECT_NAME]', 'folder to create; "." for the current one']],
    completes: 'path',
    flags: [
      { flags: '-f, --force', description: 'overwrite existing files without asking' },
      { flags: '--template <name>', description: 'which template', choices: ['default', 'tutorial'] },
    ],
    examples: [
      ['toolkit init demo', 'a project in ./demo'],
      ['toolkit init . --template tutorial', 'the tutorial in this folder'],
    ],
    load: () => import('../commands/init.ts'),
  },
  {
    name: 'dev',
    alias: 'run',
    summary: 'Serve the project at local paths; functions run as temporary endpoints.',
    flags: [
      { flags: '--host <host>', description: 'address to listen on (localhost)' },
      {
        flags: '-p, --port <port>',
        description: 'port to listen on; the next free one when it is taken (8888)',
      },
      { flags: '--reload', description: 'take over what is saved, as by default' },
      { flags: '--no-reload', description: 'do not take over what is saved' },
      {
        flags: '--auto-provision',
        description: 'provision every endpoint at the start, not at its first call',
      },
      YES,
      { flags: '--attached', description: 'end when no client has been attached for 15 s', hidden: true },
      {
        flags: '--editor-keys',
        description: 'read the keys of an editor from standard input: a JSON object, platform address to key',
        hidden: true,
      },
    ],
    examples: [
      ['toolkit dev', 'on http://localhost:8888'],
      ['toolkit dev --port 9000 --no-reload', 'on another port, without taking over saves'],
      ['toolkit dev --auto-provision --yes', 'with every endpoint provisioned, however many there are'],
    ],
    load: () => import('../commands/dev.ts'),
  },
  {
    name: 'list',
    summary: "Show the project's endpoints, read from its code.",
    flags: [{ flags: '--deployed', description: 'ask the platform where each one runs' }],
    examples: [
      ['toolkit list', 'endpoints, routes and where they stand'],
      ['toolkit list --deployed', 'with the address and build of those that are deployed'],
      ['toolkit list --json', 'the same for programs'],
    ],
    load: () => import('../commands/list.ts'),
  },
  {
    name: 'check',
    summary: 'Find mistakes without running or deploying anything.',
    arguments: [['[PATH...]', 'report only on these files and folders']],
    completes: 'path',
    flags: [
      { flags: '--strict', description: 'warnings fail too' },
      {
        flags: '--format <format>',
        description: 'text; github: annotations of a workflow; sarif: for code scanning',
        choices: ['text', 'github', 'sarif'],
      },
    ],
    examples: [
      ['toolkit check', 'the whole project'],
      ['toolkit check gpu_worker.py --strict', 'one file, warnings fail too'],
      ['toolkit check --format sarif > toolkit.sarif', 'for code scanning'],
    ],
    load: () => import('../commands/check.ts'),
  },
  {
    name: 'build',
    summary: 'Build the artifact: handlers, manifest, dependencies, archive.',
    flags: [
      EXCLUDE,
      { flags: '--keep-build', description: 'keep .toolkit/.build' },
      {
        flags: '--output <file>',
        description: 'write the artifact there instead of .toolkit/artifact.tar.gz',
      },
      { flags: '--upgrade', description: 'resolve dependencies again and renew pylock.toml' },
    ],
    examples: [
      ['toolkit build', 'into .toolkit/artifact.tar.gz'],
      ['toolkit build --exclude scipy,pandas', 'without two packages that the image has'],
    ],
    load: () => import('../commands/build.ts'),
  },
  {
    name: 'lsp',
    summary: 'Serve an editor: findings, completion and navigation while typing.',
    flags: [{ flags: '--stdio', description: 'over standard input and output, as always' }],
    examples: [['toolkit lsp', 'started by an editor; docs/editors.md has the set-up for several']],
    load: () => import('../commands/lsp.ts'),
  },
];
