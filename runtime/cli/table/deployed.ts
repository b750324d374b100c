/** Commands on what is deployed, or on its way there. */
import { type CommandSpec, YES } from '../commandSpec.ts';
import { EXCLUDE } from './project.ts';

export const DEPLOYED_COMMANDS: CommandSpec[] = [
  {
    name: 'deploy',
    summary: 'Build, upload, provision and configure the endpoints.',
    flags: [
      EXCLUDE,
      { flags: '--dry-run', description: 'build, show the plan, and change nothing on the platform' },
      YES,
    ],
    examples: [
      ['toolkit deploy', 'to the environment "production"'],
      ['toolkit deploy --env staging', 'to another environment, created when it is missing'],
      ['toolkit deploy --dry-run', 'what would be created, updated and removed'],
    ],
    load: () => import('../commands/deploy.ts'),
  },
  {
    name: 'call',
    summary: 'Call a deployed endpoint. Ctrl+C cancels the job.',
    arguments: [['<NAME>', "the endpoint's name"]],
    completes: 'endpoint',
    flags: [
      { flags: '--input <json>', description: 'JSON, @FILE, or - for standard input' },
      {
        flags: '--route <route>',
        description: 'a route of a load-balanced endpoint, such as "POST /process"',
      },
      { flags: '--async', description: "print the job's id and do not wait for it" },
      { flags: '--timeout <seconds>', description: 'how long to wait (60)' },
    ],
    examples: [
      [`toolkit call cpu_worker --input '{"numbers": [1, 2]}'`, 'run one job and wait for it'],
      [`toolkit call cpu_worker --input @job.json --async`, 'start a job without waiting for it'],
      ['toolkit call lb_worker --route "GET /health"', 'ask a route'],
    ],
    load: () => import('../commands/call.ts'),
  },
  {
    name: 'status',
    summary: 'Show what is deployed: workers, jobs, addresses.',
    arguments: [['[NAME]', 'one endpoint']],
    completes: 'endpoint',
    examples: [['toolkit status', 'everything in this app and environment']],
    load: () => import('../commands/status.ts'),
  },
  {
    name: 'logs',
    summary: "Show what an endpoint's workers wrote.",
    arguments: [['<NAME>', "the endpoint's name"]],
    completes: 'endpoint',
    flags: [
      { flags: '-f, --follow', description: 'go on with new lines, across restarts of the platform' },
      { flags: '--since <time>', description: 'from 30s, 10m, 2h or 1d ago, or from an ISO 8601 time' },
      { flags: '--worker <id>', description: 'only this worker' },
    ],
    examples: [
      ['toolkit logs gpu_worker', 'the last lines of all its workers'],
      ['toolkit logs gpu_worker -f --since 10m', 'the last ten minutes, then what comes; Ctrl+C ends it'],
    ],
    load: () => import('../commands/logs.ts'),
  },
  {
    name: 'history',
    summary: 'Show the last 100 builds that were deployed, newest first.',
    examples: [['toolkit history --env staging', 'of another environment']],
    load: () => import('../commands/history.ts'),
  },
  {
    name: 'undeploy',
    summary: 'Remove endpoints, their workers and queues.',
    arguments: [['[NAME...]', "the endpoints' names"]],
    completes: 'endpoint',
    flags: [{ flags: '--all', description: 'every endpoint of this app and environment' }, YES],
    examples: [
      ['toolkit undeploy gpu_worker', 'one endpoint; asks first'],
      ['toolkit undeploy --all --env staging --yes', 'everything in an environment, unasked'],
    ],
    load: () => import('../commands/undeploy.ts'),
  },
];
