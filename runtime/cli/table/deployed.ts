/** Commands for deploying, and for what is deployed. */
import { type CommandSpec, YES } from '../commandSpec.ts';
import { EXCLUDE } from './project.ts';

export const DEPLOYED_COMMANDS: CommandSpec[] = [
  {
    name: 'deploy',
    summary: 'Build and deploy the endpoints.',
    flags: [
      EXCLUDE,
      {
        flags: '--dry-run',
        description: 'build and show the plan without changing anything on the platform',
      },
      YES,
    ],
    examples: [
      ['toolkit deploy', 'deploy to the environment "production"'],
      ['toolkit deploy --env staging', 'deploy to another environment, and create it if it does not exist'],
      ['toolkit deploy --dry-run', 'show what would be created, updated and removed'],
    ],
    load: () => import('../commands/deploy.ts'),
  },
  {
    name: 'call',
    summary: 'Call a deployed endpoint. Ctrl+C cancels the job.',
    arguments: [['<NAME>', "the endpoint's name"]],
    completes: 'endpoint',
    flags: [
      { flags: '--input <json>', description: 'JSON text, @FILE, or - for standard input' },
      {
        flags: '--route <route>',
        description: 'route of a load-balanced endpoint, such as "POST /process"',
      },
      { flags: '--async', description: "print the job's id and return without waiting" },
      { flags: '--timeout <seconds>', description: 'seconds to wait (default: 60)' },
    ],
    examples: [
      [`toolkit call cpu_worker --input '{"numbers": [1, 2]}'`, 'run one job and wait for it'],
      [`toolkit call cpu_worker --input @job.json --async`, 'submit a job without waiting for it'],
      ['toolkit call lb_worker --route "GET /health"', 'call a route'],
    ],
    load: () => import('../commands/call.ts'),
  },
  {
    name: 'status',
    summary: 'Show the deployed endpoints: workers, jobs, URLs.',
    arguments: [['[NAME]', 'show only this endpoint']],
    completes: 'endpoint',
    examples: [['toolkit status', 'show all endpoints of this app and environment']],
    load: () => import('../commands/status.ts'),
  },
  {
    name: 'logs',
    summary: "Show the output of an endpoint's workers.",
    arguments: [['<NAME>', "the endpoint's name"]],
    completes: 'endpoint',
    flags: [
      { flags: '-f, --follow', description: 'keep printing new lines, even after the platform restarts' },
      {
        flags: '--since <time>',
        description:
          'show only lines after this time: a duration before now, such as 30s, 10m, 2h or 1d, or an ISO 8601 time',
      },
      { flags: '--worker <id>', description: 'only this worker' },
    ],
    examples: [
      ['toolkit logs gpu_worker', 'print the last lines of all its workers'],
      [
        'toolkit logs gpu_worker -f --since 10m',
        'print the last ten minutes, then follow; press Ctrl+C to stop',
      ],
    ],
    load: () => import('../commands/logs.ts'),
  },
  {
    name: 'history',
    summary: 'Show the last 100 deployed builds, newest first.',
    examples: [['toolkit history --env staging', 'show the builds of another environment']],
    load: () => import('../commands/history.ts'),
  },
  {
    name: 'undeploy',
    summary: 'Remove endpoints with their workers and queues.',
    arguments: [['[NAME...]', "the endpoints' names"]],
    completes: 'endpoint',
    flags: [{ flags: '--all', description: 'remove all endpoints of this app and environment' }, YES],
    examples: [
      ['toolkit undeploy gpu_worker', 'remove one endpoint after asking'],
      ['toolkit undeploy --all --env staging --yes', 'remove all endpoints of an environment without asking'],
    ],
    load: () => import('../commands/undeploy.ts'),
  },
];
