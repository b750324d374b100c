/**
 * Deploys: one desired state per environment. Everything is checked first; then workers prove the new build; then one
 * transaction switches to it, or nothing has changed.
 */
import { randomUUID } from 'node:crypto';
import type { AppSpec } from '../../contract/appSpec.ts';
import type { DeployInput, Deployment, PartRef, Plan, PlanReport } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { decodeManifest } from '../../contract/manifestSchema.ts';
import { type DeployedEndpoint, environmentKey } from '../endpoints.ts';
import { hardwareNote } from '../hardware/describeHardware.ts';
import type { Gpus } from '../hardware/gpus.ts';
import type { Interpreters } from '../interpreters.ts';
import { operation } from '../store/store.ts';
import { checkNames, checkNode, checkQuota, checkRemovals, quotaShares } from './deployChecks.ts';
import type { PartPromises } from './partPromises.ts';
import type { Parts } from './parts.ts';
import { afterUndoing, computePlan, isUnchanged } from './plan.ts';
import { deploymentRow, Rollout } from './rollout.ts';
import type { Change, RolloutContext } from './rolloutContext.ts';
import { conflict, type Underway } from './underway.ts';

export interface DeployerContext extends RolloutContext {
  parts: Parts;
  promises: PartPromises;
  gpus: Gpus;
  interpreters: Interpreters;
  quota: number;
  underway: Underway;
}

export class Deployer {
  readonly #context: DeployerContext;
  readonly #deployments = new Map<string, Deployment>();
  readonly #stopping = new AbortController();
  readonly #rollouts = new Set<Promise<void>>();

  constructor(context: DeployerContext) {
    this.#context = context;
  }

  /** Fails what a former process of this platform left half done: its new workers are gone with `Workers.adopt`. */
  async recover(): Promise<void> {
    for (const row of await this.#context.store.run('deploymentUnfinished')) {
      const deployment = JSON.parse(row.body) as Deployment;
      const error = new ToolkitError(
        'ROLLOUT_FAILED',
        `The platform ended in the middle of this deploy; ${afterUndoing(deployment.plan)}.`,
        {
          hint: 'Deploy again.',
        },
      );
      const failed: Deployment = { ...deployment, state: 'failed', error: error.toBody() };
      await this.#context.store.run('deploymentPut', {
        ...row,
        state: 'failed',
        body: JSON.stringify(failed),
      });
    }
  }

  /** @throws ToolkitError MANIFEST_INVALID, and what `deployChecks` refuses but for removals. */
  async plan(
    input: Pick<DeployInput, 'app' | 'environment' | 'secrets'> & { manifest: unknown },
  ): Promise<PlanReport> {
    const wanted = decodeManifest(input.manifest);
    const { current, plan, place } = this.#compute(input, wanted);
    await this.#check(input, place, current, wanted);
    const notes = wanted.flatMap((spec) => hardwareNote(spec, this.#context.gpus) ?? []);
    const revision = this.#context.endpoints.environment(input.app, input.environment)?.revision ?? 0;
    return { plan, revision, notes };
  }

  /**
   * Checks, then starts the roll-out; resolves as soon as it runs.
   *
   * @throws ToolkitError DEPLOY_CONFLICT, CONFIRMATION_NEEDED, PART_MISSING, and what `plan` throws.
   */
  async deploy(input: DeployInput): Promise<Deployment> {
    const wanted = decodeManifest(input.manifest);
    const { underway } = this.#context;
    underway.claim(input.app, input.environment, { endpoints: wanted, parts: input.parts });
    for (const { content } of input.parts) this.#context.promises.redeem(content);
    try {
      const { current, plan, place } = this.#compute(input, wanted);
      const environment = this.#context.endpoints.environment(input.app, input.environment);
      if (input.revision !== null && input.revision !== (environment?.revision ?? 0)) {
        throw conflict(`${place} was deployed by somebody else since this plan was made.`);
      }
      await this.#check(input, place, current, wanted);
      checkRemovals(plan, input.allowRemovals);
      if (isUnchanged(plan)) return this.#unchanged(input, plan, environment?.build ?? 0);
      const kept = { ...input, parts: this.#keptParts(input, wanted) };
      return await this.#begin({ input: kept, place, current, wanted, plan });
    } catch (error) {
      underway.release(input.app, input.environment);
      throw error;
    }
  }

  async find(id: string): Promise<Deployment | null> {
    const running = this.#deployments.get(id);
    if (running) return running;
    const row = await this.#context.store.run('deploymentFind', id);
    return row ? (JSON.parse(row.body) as Deployment) : null;
  }

  /** Ends running roll-outs: they return to the previous build. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#rollouts);
  }

  #compute(input: Pick<DeployInput, 'app' | 'environment' | 'secrets'>, wanted: AppSpec) {
    const current = this.#context.endpoints
      .of(input.app, input.environment)
      .filter((endpoint) => !endpoint.live);
    const plan = computePlan(current, wanted, input.secrets);
    return { current, plan, place: environmentKey(input.app, input.environment) };
  }

  async #check(
    input: Pick<DeployInput, 'app' | 'environment'>,
    place: string,
    current: DeployedEndpoint[],
    wanted: AppSpec,
  ): Promise<void> {
    checkNames(input.app, input.environment, wanted);
    const others = this.#context.endpoints.all().filter((endpoint) => !current.includes(endpoint));
    const shares = quotaShares(others, place, wanted);
    // What deploys of other environments are about to raise counts already.
    for (const [other, specs] of this.#context.underway.elsewhere(place)) {
      for (const { name, workersMax } of specs) {
        const share = shares.find((known) => known.place === other && known.name === name);
        if (share) share.workersMax = Math.max(share.workersMax, workersMax);
        else shares.push({ place: other, name, workersMax });
      }
    }
    checkQuota(shares, place, this.#context.quota);
    checkNode(wanted, [...(await this.#context.interpreters.all()).keys()], this.#context.gpus);
  }

  /** The deploy's parts as they are kept: equal content may have been sent in other bytes by another machine. */
  #keptParts(input: DeployInput, wanted: AppSpec): PartRef[] {
    if (wanted.length > 0 && !input.parts.some((part) => part.role === 'code')) {
      throw new ToolkitError('PART_MISSING', 'The deploy names no code part.');
    }
    return input.parts.map((part) => {
      const kept = this.#context.parts.find(part.content);
      if (kept) return { ...part, sha256: kept.sha256, size: kept.size };
      throw new ToolkitError(
        'PART_MISSING',
        `The ${part.role} part ${part.content.slice(0, 12)} was not uploaded.`,
        {
          hint: 'Deploy again: what is missing is uploaded first.',
        },
      );
    });
  }

  #unchanged(input: DeployInput, plan: Plan, build: number): Deployment {
    this.#context.underway.release(input.app, input.environment);
    const deployment: Deployment = {
      id: randomUUID(),
      state: 'succeeded',
      build,
      plan,
      steps: [],
      error: null,
    };
    this.#deployments.set(deployment.id, deployment);
    return deployment;
  }

  async #begin(change: Change): Promise<Deployment> {
    const { input, plan } = change;
    const known = this.#context.endpoints.environment(input.app, input.environment);
    const environment = known ?? {
      app: input.app,
      name: input.environment,
      build: 0,
      revision: 0,
      last_build: 0,
    };
    const build = environment.last_build + 1;
    const names = [...plan.create, ...plan.update.map((update) => update.name), ...plan.remove];
    const deployment: Deployment = {
      id: randomUUID(),
      state: 'running',
      build,
      plan,
      steps: names.map((endpoint) => ({ endpoint, state: 'waiting', detail: null, lines: [] })),
      error: null,
    };
    const begun = { ...environment, last_build: build };
    await this.#context.store.unit([
      operation('appPut', input.app),
      operation('environmentPut', begun),
      operation('deploymentPut', deploymentRow(change, deployment)),
    ]);
    this.#context.endpoints.addApp(input.app);
    this.#context.endpoints.setEnvironment(begun);
    this.#deployments.set(deployment.id, deployment);
    this.#context.log.info(
      { deployment: deployment.id, environment: change.place, build, plan },
      'deploy started',
    );
    const rollout = new Rollout(this.#context, change, deployment, this.#stopping.signal)
      .run()
      .finally(() => {
        this.#context.underway.release(input.app, input.environment);
        this.#rollouts.delete(rollout);
      });
    this.#rollouts.add(rollout);
    return deployment;
  }
}
