/** Commands on this machine: the embedded platform, the Python package, the shell, and what may be missing. */
import type { CommandSpec } from '../commandSpec.ts';

export const MACHINE_COMMANDS: CommandSpec[] = [
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
          {
            flags: '--max-waiting-bytes <number>',
            description:
              'bytes of all inputs that may wait (2000000000); one endpoint may have a quarter of them',
          },
          {
            flags: '--allow-private-webhooks',
            description: 'webhooks may go to addresses of this machine and its network too',
          },
        ],
        examples: [
          ['toolkit platform start --gpu require', 'GPU endpoints wait for a GPU instead of using the CPU'],
        ],
        load: () => import('../commands/platformStart.ts'),
      },
      {
        name: 'stop',
        summary: 'Stop the embedded platform and its workers.',
        examples: [['toolkit platform stop', 'endpoints come back with the next start']],
        load: () => import('../commands/platformStop.ts'),
      },
      {
        name: 'status',
        summary: 'Print whether the embedded platform runs, and where.',
        examples: [['toolkit platform status --json', 'for programs']],
        load: () => import('../commands/platformStatus.ts'),
      },
      {
        name: 'key',
        summary: "Print the embedded platform's key, and nothing else.",
        examples: [['curl -H "Authorization: Bearer $(toolkit platform key)" …', 'use it in a request']],
        load: () => import('../commands/platformKey.ts'),
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
        load: () => import('../commands/sdkInstall.ts'),
      },
    ],
  },
  {
    name: 'doctor',
    summary: 'Look for what is missing on this machine.',
    examples: [['toolkit doctor', 'each finding with its repair; exit 1 when something fails']],
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell.',
    arguments: [['<SHELL>', 'bash, zsh or fish']],
    completes: ['bash', 'zsh', 'fish'],
    examples: [
      ['source <(toolkit completion bash)', 'in ~/.bashrc'],
      ['source <(toolkit completion zsh)', 'in ~/.zshrc, after compinit'],
      ['toolkit completion fish > ~/.config/fish/completions/toolkit.fish', 'once'],
    ],
    load: () => import('../commands/completion.ts'),
  },
];
