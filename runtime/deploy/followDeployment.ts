/** Follows a roll-out by polling until it ends; a failed one is told with the worker's last lines. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, RolloutStep } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { ReportProgress } from '../contract/progress.ts';
import type { PlatformClient } from './platformClient.ts';

const POLL_MS = 50;
const POLL_SLOW_MS = 500;

/** A platform that restarts is back within this; a roll-out that lost its platform for longer is given up. */
const ATTEMPTS = 4;

/**
 * @throws ToolkitError ROLLOUT_FAILED when the platform went back to the previous build, PLATFORM_UNREACHABLE when it
 * went away meanwhile, INTERRUPTED when only the following ended.
 */
export async function followDeployment(
  client: PlatformClient,
  started: Deployment,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Deployment> {
  const startedAt = performance.now();
  const told = new Map<string, RolloutStep['state']>();
  let deployment = started;
  for (let polls = 0; ; polls += 1) {
    tellSteps(deployment, told, report, (performance.now() - startedAt) / 1000);
    if (deployment.state !== 'running') break;
    try {
      await sleep(polls < 40 ? POLL_MS : POLL_SLOW_MS, undefined, { signal });
      deployment = await ask(client, deployment, signal);
    } catch (error) {
      throw signal.aborted ? goesOn(deployment) : error;
    }
  }
  if (deployment.state === 'failed') throw rolloutFailed(deployment);
  return deployment;
}

/** Every endpoint that came further. */
function tellSteps(
  { steps }: Deployment,
  told: Map<string, RolloutStep['state']>,
  report: ReportProgress,
  seconds: number,
): void {
  for (const { endpoint, state } of steps) {
    if (state === 'waiting' || told.get(endpoint) === state) continue;
    told.set(endpoint, state);
    report({ type: 'endpoint', endpoint, state, seconds });
  }
}

async function ask(client: PlatformClient, last: Deployment, signal: AbortSignal): Promise<Deployment> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.deployment(last.id, signal);
    } catch (error) {
      if (!(error instanceof ToolkitError) || error.code !== 'PLATFORM_UNREACHABLE') throw error;
      if (attempt === ATTEMPTS) throw wentAway(client, last, error);
      await sleep(POLL_SLOW_MS, undefined, { signal });
    }
  }
}

function wentAway(client: PlatformClient, { build }: Deployment, cause: ToolkitError): ToolkitError {
  return new ToolkitError(
    'PLATFORM_UNREACHABLE',
    `The platform at ${client.url} went away while build ${build} was rolling out. When it is back, either all of that build serves or all of the one before.`,
    {
      hint: client.embedded
        ? 'Deploy again, which starts it; its log is "platform/platform.log" in TOOLKIT_HOME.'
        : 'Deploy again when it answers; "toolkit status" shows what serves.',
      cause,
    },
  );
}

function goesOn({ build }: Deployment): ToolkitError {
  return new ToolkitError(
    'INTERRUPTED',
    `Interrupted while the platform was rolling out build ${build}; it finishes that by itself.`,
    { hint: 'See how it ended with "toolkit status".' },
  );
}

/** The platform's sentence, and of each worker's last lines what it does not say already. */
function rolloutFailed(deployment: Deployment): ToolkitError {
  const { error } = deployment;
  const told = error?.message ?? 'The roll-out failed; the previous build serves.';
  const lines = deployment.steps.flatMap((step) =>
    step.lines.filter((line) => !told.includes(line.trim())).map((line) => `  ${step.endpoint}: ${line}`),
  );
  return new ToolkitError(error?.code ?? 'ROLLOUT_FAILED', [told, ...lines].join('\n'), {
    hint: error?.hint ?? 'Fix the cause and deploy again; nothing of this deploy is kept.',
  });
}
