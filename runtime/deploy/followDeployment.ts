/** Follows a roll-out by polling until it ends; a failed one is told with the worker's last lines. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { ReportProgress } from '../contract/progress.ts';
import type { PlatformClient } from './platformClient.ts';

const POLL_MS = 50;
const POLL_SLOW_MS = 500;

/** @throws ToolkitError ROLLOUT_FAILED when the platform went back to the previous build. */
export async function followDeployment(
  client: PlatformClient,
  started: Deployment,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Deployment> {
  let deployment = started;
  let told = '';
  for (let polls = 0; deployment.state === 'running'; polls += 1) {
    const waiting = deployment.steps.filter(({ state }) => state === 'waiting' || state === 'starting');
    const names = waiting.map(({ endpoint }) => endpoint).join(', ');
    if (names && names !== told) report({ type: 'step', message: `Starting a worker of ${names}` });
    told = names;
    await sleep(polls < 40 ? POLL_MS : POLL_SLOW_MS, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
    deployment = await client.deployment(deployment.id, signal);
  }
  if (deployment.state === 'failed') throw rolloutFailed(deployment);
  return deployment;
}

/** The platform's sentence, and of each worker's last lines what it does not say already. */
function rolloutFailed(deployment: Deployment): ToolkitError {
  const { error } = deployment;
  const told = error?.message ?? 'The roll-out failed; the previous build serves.';
  const lines = deployment.steps.flatMap((step) =>
    step.lines.filter((line) => !told.includes(line.trim())).map((line) => `  ${step.endpoint}: ${line}`),
  );
  return new ToolkitError(error?.code ?? 'ROLLOUT_FAILED', [told, ...lines].join('\n'), {
    hint: error?.hint ?? 'Mend the cause and deploy again; nothing of this deploy stays.',
  });
}
