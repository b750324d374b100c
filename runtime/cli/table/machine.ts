/** Commands for this machine: the embedded platform, the Python package, shell completion and diagnosis. */
import type { CommandSpec } from '../commandSpec.ts';

export const MACHINE_COMMANDS: CommandSpec[] = [
  {
    name: 'platform',
    summary: 'Manage the embedded platform.',
    examples: [
      ['toolkit platform start', 'start the platform; "toolkit deploy" also starts it'],
      ['toolkit platform stop', 'stop the platform and its workers; endpoints stay deployed'],
    ],
    commands: [
      {
        name: 'start',
        summary: 'Start the embedded platform if it is not already running.',
        flags: [
          {
            flags: '--port <number>',
            description: 'port to listen on (default: 8890, or the next free port)',
          },
          {
            flags: '--quota <number>',
            description: 'maximum workers of all endpoints together (default: 30)',
          },
          {
            flags: '--gpu <mode>',
            description:
              'auto: use GPUs if there are any; require: GPU endpoints wait until there is a GPU; none: never use GPUs',
            choices: ['auto', 'require', 'none'],
          },
          {
            flags: '--max-waiting-bytes <number>',
            description:
              'maximum size of all waiting inputs together, in bytes (default: 2000000000); one endpoint can use up to a quarter of this',
          },
          {
            flags: '--allow-private-webhooks',
            description: 'also allow webhooks to this machine and its private network',
          },
        ],
        examples: [
          [
            'toolkit platform start --gpu require',
            'make GPU endpoints wait for a GPU instead of using the CPU',
          ],
        ],
        load: () => import('../commands/platformStart.ts'),
      },
      {
        name: 'stop',
        summary: 'Stop the embedded platform and its workers.',
        examples: [['toolkit platform stop', 'stop it; the next start serves the same endpoints']],
        load: () => import('../commands/platformStop.ts'),
      },
      {
        name: 'status',
        summary: 'Print whether the embedded platform is running, and its address.',
        examples: [['toolkit platform status --json', 'print JSON for programs']],
        load: () => import('../commands/platformStatus.ts'),
      },
      {
        name: 'key',
        summary: "Print the embedded platform's key and nothing else.",
        examples: [['curl -H "Authorization: Bearer $(toolkit platform key)" …', 'use the key in a request']],
        load: () => import('../commands/platformKey.ts'),
      },
    ],
  },
  {
    name: 'sdk',
    summary: 'Manage the Python package toolkit_sdk.',
    examples: [['toolkit sdk install', 'install it into the active virtual environment']],
    commands: [
      {
        name: 'install',
        summary: 'Install the bundled toolkit_sdk into an interpreter or virtual environment.',
        flags: [{ flags: '--python <path>', description: 'path of an interpreter or virtual environment' }],
        examples: [['toolkit sdk install --python .venv', 'install it into that environment']],
        load: () => import('../commands/sdkInstall.ts'),
      },
    ],
  },
  {
    name: 'doctor',
    summary: 'Check whether this machine has everything that the toolkit needs.',
    examples: [['toolkit doctor', 'show each check and how to fix it; exit with 1 if one fails']],
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell.',
    arguments: [['<SHELL>', 'bash, zsh or fish']],
    completes: ['bash', 'zsh', 'fish'],
    examples: [
      ['source <(toolkit completion bash)', 'add this line to ~/.bashrc'],
      ['source <(toolkit completion zsh)', 'add this line to ~/.zshrc, after compinit'],
      ['toolkit completion fish > ~/.config/fish/completions/toolkit.fish', 'run this once'],
    ],
    load: () => import('../commands/completion.ts'),
  },
];
