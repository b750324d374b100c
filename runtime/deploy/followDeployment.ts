/** Polls a rollout until it ends. The error of a failed one includes the last log lines of its workers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, RolloutStep } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { ReportProgress } from '../contract/progress.ts';
import type { PlatformClient } from './platformClient.ts';

const POLL_MS = 50;
const POLL_SLOW_MS = 500;

/** Enough attempts for a platform to restart. After that, it stops following the rollout. */
const ATTEMPTS = 4;

/**
 * @throws ToolkitError ROLLOUT_FAILED if the platform returned to the previous build, PLATFORM_UNREACHABLE if the
 *   connection was lost, INTERRUPTED if `signal` was aborted (the rollout continues).
 */
export async function followDeployment(
  client: PlatformClient,
  started: Deployment,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Deployment> {
  const startedAt = performance.now();
  const reported = new Map<string, RolloutStep['state']>();
  let deployment = started;
  for (let polls = 0; ; polls += 1) {
    reportSteps(deployment, reported, report, (performance.now() - startedAt) / 1000);
    if (deployment.state !== 'running') break;
    try {
      await sleep(polls < 40 ? POLL_MS : POLL_SLOW_MS, undefined, { signal });
      deployment = await ask(client, deployment, signal);
    } catch (error) {
      throw signal.aborted ? interrupted(deployment) : error;
    }
  }
  if (deployment.state === 'failed') throw rolloutFailed(deployment);
  return deployment;
}

/** Reports every endpoint whose state has changed. */
function reportSteps(
  { steps }: Deployment,
  reported: Map<string, RolloutStep['state']>,
  report: ReportProgress,
  seconds: number,
): void {
  for (const { endpoint, state } of steps) {
    if (state === 'waiting' || reported.get(endpoint) === state) continue;
    reported.set(endpoint, state);
    report({ type: 'endpoint', endpoint, state, seconds });
  }
}

async function ask(client: PlatformClient, last: Deployment, signal: AbortSignal): Promise<Deployment> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.deployment(last.id, signal);
    } catch (error) {
      if (!(error instanceof ToolkitError) || error.code !== 'PLATFORM_UNREACHABLE') throw error;
      if (attempt === ATTEMPTS) throw connectionLost(client, last, error);
      await sleep(POLL_SLOW_MS, undefined, { signal });
    }
  }
}

function connectionLost(client: PlatformClient, { build }: Deployment, cause: ToolkitError): ToolkitError {
  return new ToolkitError(
    'PLATFORM_UNREACHABLE',
    `Lost the connection to the platform at ${client.url} while build ${build} was rolling out. When the platform is back, it serves this build or the previous one.`,
    {
      hint: client.embedded
        ? 'Deploy again: this also starts the platform. Its log is platform/platform.log in TOOLKIT_HOME.'
        : 'Deploy again when it responds. "toolkit status" shows what is deployed.',
      cause,
    },
  );
}

function interrupted({ build }: Deployment): ToolkitError {
  return new ToolkitError(
    'INTERRUPTED',
    `Interrupted while the platform was rolling out build ${build}; the platform continues the rollout.`,
    { hint: 'Run "toolkit status" to see the result.' },
  );
}

/** The platform's message, plus the workers' last lines that it does not already contain. */
function rolloutFailed(deployment: Deployment): ToolkitError {
  const { error } = deployment;
  const message = error?.message ?? 'The rollout failed; the previous build is still running.';
  const lines = deployment.steps.flatMap((step) =>
    step.lines.filter((line) => !message.includes(line.trim())).map((line) => `  ${step.endpoint}: ${line}`),
  );
  return new ToolkitError(error?.code ?? 'ROLLOUT_FAILED', [message, ...lines].join('\n'), {
    hint: error?.hint ?? 'Fix the cause and deploy again. This deploy changed nothing.',
  });
}
