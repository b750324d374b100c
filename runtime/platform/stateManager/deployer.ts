/**
 * Deploys the desired state of an environment. First everything is checked, then workers prove the new build,
 * then one transaction switches to it. If a step fails, nothing has changed.
 */
import type { AppSpec } from '../../contract/appSpec.ts';
import type { DeployInput, Deployment, Plan, PlanReport } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { decodeManifest } from '../../contract/manifestSchema.ts';
import { type DeployedEndpoint, environmentKey } from '../endpoints.ts';
import { hardwareNote } from '../hardware/describeHardware.ts';
import type { Gpus } from '../hardware/gpus.ts';
import type { Interpreters } from '../interpreters.ts';
import { checkNames, checkNode, checkQuota, checkRemovals, quotaShares } from './deployChecks.ts';
import { keptParts } from './keptParts.ts';
import type { PartPromises } from './partPromises.ts';
import type { Parts } from './parts.ts';
import { computePlan, isUnchanged } from './plan.ts';
import { deploymentRow } from './rollout.ts';
import type { Change, RolloutContext } from './rolloutContext.ts';
import { newDeployment, type Rollouts } from './rollouts.ts';
import type { Underway } from './underway.ts';

export interface DeployerContext extends RolloutContext {
  parts: Parts;
  promises: PartPromises;
  gpus: Gpus;
  interpreters: Interpreters;
  quota: number;
  underway: Underway;
  rollouts: Rollouts;
}

export class Deployer {
  readonly #context: DeployerContext;

  constructor(context: DeployerContext) {
    this.#context = context;
  }

  /** @throws ToolkitError MANIFEST_INVALID, and the errors of `deployChecks` except for removals. */
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
   * Checks, then starts the rollout. Resolves as soon as it is running.
   *
   * @throws ToolkitError DEPLOY_CONFLICT, CONFIRMATION_NEEDED, PART_MISSING, and the errors of `plan`.
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
        throw new ToolkitError(
          'DEPLOY_CONFLICT',
          `Another deploy or removal changed ${place} after this plan was computed. This deploy changed nothing.`,
          { hint: 'Deploy again.' },
        );
      }
      await this.#check(input, place, current, wanted);
      checkRemovals(plan, input.allowRemovals);
      if (isUnchanged(plan)) return this.#unchanged(input, plan, environment?.build ?? 0);
      const parts = keptParts(this.#context.parts, input.parts, wanted);
      const { app, environment: name, secrets } = input;
      const change = { app, environment: name, run: null, place, current, wanted, plan, parts, secrets };
      return await this.#begin(change);
    } catch (error) {
      underway.release(input.app, input.environment);
      throw error;
    }
  }

  #compute(input: Pick<DeployInput, 'app' | 'environment' | 'secrets'>, wanted: AppSpec) {
    const current = this.#context.endpoints.persistent(input.app, input.environment);
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
    // Running deploys of other environments already count with their new limits.
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

  #unchanged(input: DeployInput, plan: Plan, build: number): Deployment {
    this.#context.underway.release(input.app, input.environment);
    return this.#context.rollouts.unchanged(plan, build);
  }

  async #begin(change: Change): Promise<Deployment> {
    const { app, environment: name, plan } = change;
    const { endpoints, store, underway, rollouts } = this.#context;
    const known = endpoints.environment(app, name);
    const environment = known ?? { app, name, build: 0, revision: 0, last_build: 0 };
    const build = environment.last_build + 1;
    const deployment = newDeployment(plan, build);
    const begun = { ...environment, last_build: build };
    await store.deployed.begin(begun, deploymentRow(change, deployment));
    endpoints.addApp(app);
    endpoints.setEnvironment(begun);
    void rollouts.begin(change, deployment).finally(() => underway.release(app, name));
    return deployment;
  }
}
