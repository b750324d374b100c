/** Commands for a project's own files. Only `dev` and `list --deployed` use a platform. */
import { type CommandSpec, type FlagSpec, YES } from '../commandSpec.ts';

export const EXCLUDE: FlagSpec = {
  flags: '--exclude <names>',
  description: 'packages to exclude, separated by commas',
};

export const PROJECT_COMMANDS: CommandSpec[] = [
  {
    name: 'init',
    summary: 'Create a project from a template.',
    arguments: [['[NAME]', 'folder to create, or "." for the current folder']],
    completes: 'path',
    flags: [
      { flags: '-f, --force', description: 'overwrite existing files without asking' },
      { flags: '--template <name>', description: 'template to use', choices: ['default', 'tutorial'] },
    ],
    examples: [
      ['toolkit init demo', 'create a project in ./demo'],
      ['toolkit init . --template tutorial', 'create the tutorial in this folder'],
    ],
    load: () => import('../commands/init.ts'),
  },
  {
    name: 'dev',
    alias: 'run',
    summary: 'Serve the project on this machine; functions run as temporary endpoints.',
    flags: [
      { flags: '--host <host>', description: 'address to listen on (default: localhost)' },
      {
        flags: '-p, --port <port>',
        description: 'port to listen on, or the next free one (default: 8888)',
      },
      { flags: '--reload', description: 'reload the code when a file is saved (default)' },
      { flags: '--no-reload', description: 'do not reload the code when a file is saved' },
      {
        flags: '--auto-provision',
        description: 'provision all endpoints at startup instead of each on its first call',
      },
      YES,
      { flags: '--attached', description: 'stop when no client has been attached for 15 s', hidden: true },
      {
        flags: '--editor-keys',
        description:
          "read an editor's keys from standard input: a JSON object that maps platform address to key",
        hidden: true,
      },
    ],
    examples: [
      ['toolkit dev', 'serve on http://localhost:8888'],
      ['toolkit dev --port 9000 --no-reload', 'serve on another port, without reloading'],
      ['toolkit dev --auto-provision --yes', 'provision all endpoints at startup, without asking'],
    ],
    load: () => import('../commands/dev.ts'),
  },
  {
    name: 'list',
    summary: "Show the endpoints in the project's code.",
    flags: [{ flags: '--deployed', description: "also show each endpoint's address on the platform" }],
    examples: [
      ['toolkit list', 'show endpoints and routes with their location in the code'],
      ['toolkit list --deployed', 'also show the address and build of deployed endpoints'],
      ['toolkit list --json', 'print JSON for programs'],
    ],
    load: () => import('../commands/list.ts'),
  },
  {
    name: 'check',
    summary: 'Check the code without running or deploying anything.',
    arguments: [['[PATH...]', 'report only findings in these files and folders']],
    completes: 'path',
    flags: [
      { flags: '--strict', description: 'fail on warnings too' },
      {
        flags: '--format <format>',
        description: 'output format: text, github (workflow annotations) or sarif (code scanning)',
        choices: ['text', 'github', 'sarif'],
      },
    ],
    examples: [
      ['toolkit check', 'check the whole project'],
      ['toolkit check gpu_worker.py --strict', 'check one file and fail on warnings too'],
      ['toolkit check --format sarif > toolkit.sarif', 'write a report for code scanning'],
    ],
    load: () => import('../commands/check.ts'),
  },
  {
    name: 'build',
    summary: 'Build the artifact that deploy uploads: code, manifest and dependencies.',
    flags: [
      EXCLUDE,
      { flags: '--keep-build', description: 'keep the build folder .toolkit/.build' },
      {
        flags: '--output <file>',
        description: 'write the artifact to this file (default: .toolkit/artifact.tar.gz)',
      },
      { flags: '--upgrade', description: 'resolve all dependencies again and update pylock.toml' },
    ],
    examples: [
      ['toolkit build', 'write .toolkit/artifact.tar.gz'],
      ['toolkit build --exclude scipy,pandas', 'leave out two packages that the workers do not need'],
    ],
    load: () => import('../commands/build.ts'),
  },
  {
    name: 'lsp',
    summary: 'Run the language server for an editor.',
    flags: [{ flags: '--stdio', description: 'use standard input and output (always on)' }],
    examples: [['toolkit lsp', 'started by an editor; see docs/editors.md for the setup']],
    load: () => import('../commands/lsp.ts'),
  },
];
