/** Project → build → plan → upload → rollout → addresses. Everything that can be checked locally is checked first. */
import { type BuildOptions, type BuildResult, buildProject } from '../build/buildProject.ts';
import type { DeployInput, Deployment, Plan, PlanReport, RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { CALL_LIMITS } from '../contract/limits.ts';
import { encodeManifest } from '../contract/manifest.ts';
import type { DeployStage, ReportProgress } from '../contract/progress.ts';
import { followDeployment } from './followDeployment.ts';
import type { PlatformClient } from './platformClient.ts';
import { fillSecrets } from './secrets.ts';
import type { Context, Settings } from './settings.ts';
import { partRef, uploadParts } from './uploadParts.ts';

export interface DeployOptions {
  client: PlatformClient;
  context: Context;
  settings: Settings;
  build: Omit<BuildOptions, 'report' | 'signal'>;
  /** Called before a plan is carried out; false stops the deploy. */
  approve: (plan: Plan, notes: string[]) => Promise<boolean>;
  /** Called before anything changes, with the plan and notes on what this platform does differently than requested. */
  showPlan: (plan: Plan, notes: string[]) => void;
  report: ReportProgress;
  signal: AbortSignal;
}

type Wanted = Pick<DeployInput, 'app' | 'environment' | 'manifest' | 'secrets'>;

export interface DeployResult {
  build: number;
  plan: Plan;
  /** This project's endpoints in the environment, sorted by name. */
  endpoints: RemoteEndpoint[];
}

/**
 * Deploys a project, all or nothing.
 *
 * @throws ToolkitError if nothing was changed, ROLLOUT_FAILED if the previous build still serves.
 */
export async function deployProject(options: DeployOptions): Promise<DeployResult> {
  const { client, context, report, signal } = options;
  const { artifact, wanted, report: planned } = await buildAndPlan(options);
  const { plan, revision, notes } = planned;
  if (!(await options.approve(plan, notes))) {
    throw new ToolkitError(
      'CONFIRMATION_NEEDED',
      `This deploy would remove ${plan.remove.join(', ')}; nothing was changed.`,
      {
        hint: 'Add --yes to remove them, or restore their declarations.',
      },
    );
  }

  await stage(report, 'Upload', async () => {
    const bytes = await uploadParts(client, artifact.parts, report, signal);
    return [bytes, bytes === 0 ? 'nothing to upload' : megabytes(bytes)];
  });

  const parts = artifact.parts.map(partRef);
  const input: DeployInput = { ...wanted, parts, revision, allowRemovals: true };
  const deployment = await stage(report, 'Provision', async () => {
    const started = await askToDeploy(client, input, signal);
    const ended = await followDeployment(client, started, report, signal);
    return [ended, summary(ended.plan)];
  });

  const endpoints = await stage(report, 'Configure', async () => {
    const found = await lookUp(client, context, artifact, signal);
    return [found, plural(found.length, 'address')];
  });
  return { build: deployment.build, plan: deployment.plan, endpoints };
}

/** Builds, and plans the deploy without changing anything on the platform. Calls `showPlan` with the plan. */
export async function planProject(options: DeployOptions): Promise<Plan> {
  return (await buildAndPlan(options)).report.plan;
}

/**
 * Requests the rollout. Once the platform has the request, it rolls out even if this process ends. An interrupt
 * therefore waits a moment for the response, so that the error can say what is being rolled out.
 */
async function askToDeploy(
  client: PlatformClient,
  input: DeployInput,
  signal: AbortSignal,
): Promise<Deployment> {
  signal.throwIfAborted();
  const given = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const giveUpSoon = (): void => {
    timer = setTimeout(() => given.abort(unanswered(input)), CALL_LIMITS.interruptedDeploy);
  };
  signal.addEventListener('abort', giveUpSoon, { once: true });
  try {
    return await client.deploy(input, given.signal);
  } finally {
    signal.removeEventListener('abort', giveUpSoon);
    clearTimeout(timer);
  }
}

function unanswered({ app, environment }: DeployInput): ToolkitError {
  return new ToolkitError(
    'INTERRUPTED',
    `Interrupted before the platform had responded: it may be rolling out ${app}/${environment}.`,
    { hint: 'Run "toolkit status" to see what is deployed.' },
  );
}

async function buildAndPlan(
  options: DeployOptions,
): Promise<{ artifact: BuildResult; wanted: Wanted; report: PlanReport }> {
  const { client, context, settings, report, signal } = options;
  const secrets = fillSecrets(options.build.reading.endpoints, settings);
  await checkKey(client, signal);

  const artifact = await stage(report, 'Build', async () => {
    const built = await buildProject({ ...options.build, report, signal });
    return [built, `${plural(built.app.length, 'endpoint')}, ${megabytes(built.bytes)}`];
  });

  const manifest = encodeManifest(artifact.app);
  const wanted = { app: context.app, environment: context.environment, manifest, secrets };
  const planned = await client.plan(wanted, signal);
  options.showPlan(planned.plan, planned.notes);
  return { artifact, wanted, report: planned };
}

/**
 * Checks the key before the build, with a timeout, so that a wrong key or a dead address fails early. The embedded
 * platform gets no timeout: it has just responded, so if it is slow now, the machine is busy.
 */
async function checkKey(client: PlatformClient, signal: AbortSignal): Promise<void> {
  if (client.embedded) {
    await client.account(signal);
    return;
  }
  const timeout = AbortSignal.timeout(CALL_LIMITS.keyCheck);
  try {
    await client.account(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new ToolkitError(
      'PLATFORM_UNREACHABLE',
      `${client.url} did not respond within ${CALL_LIMITS.keyCheck / 1000} s, so the key could not be checked.`,
      { hint: 'Check PLATFORM_API_URL and your network, then deploy again.', cause: error },
    );
  }
}

/** Looks up every deployed endpoint by name, as peers and scripts do: this also verifies service discovery. */
async function lookUp(
  client: PlatformClient,
  context: Context,
  artifact: BuildResult,
  signal: AbortSignal,
): Promise<RemoteEndpoint[]> {
  const endpoints: RemoteEndpoint[] = [];
  for (const { name } of artifact.app) {
    const endpoint = await client.endpoint(context.app, context.environment, name, signal);
    if (!endpoint)
      throw new ToolkitError('PLATFORM_FAILED', `"${name}" was deployed, but the platform cannot find it.`, {
        hint: 'Deploy again.',
      });
    endpoints.push(endpoint);
  }
  return endpoints;
}

function summary(plan: Deployment['plan']): string {
  const counts = [
    [plan.create.length, 'created'],
    [plan.update.length, 'updated'],
    [plan.unchanged.length, 'unchanged'],
    [plan.remove.length, 'removed'],
  ] as const;
  return counts.flatMap(([number, verb]) => (number > 0 ? [`${number} ${verb}`] : [])).join(', ');
}

async function stage<Result>(
  report: ReportProgress,
  name: DeployStage,
  work: () => Promise<[Result, string]>,
): Promise<Result> {
  const startedAt = performance.now();
  report({ type: 'stage', stage: name, state: 'started', detail: null, seconds: 0 });
  const [result, detail] = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  report({ type: 'stage', stage: name, state: 'finished', detail, seconds });
  return result;
}

function plural(number: number, noun: 'endpoint' | 'address'): string {
  const ending = noun === 'address' ? 'es' : 's';
  return `${number} ${noun}${number === 1 ? '' : ending}`;
}

function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
