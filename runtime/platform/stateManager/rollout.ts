/**
 * One rollout. Workers prove the new build, then one transaction switches the environment to it. If that
 * fails, the previous state is restored.
 */
import { randomBytes } from 'node:crypto';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import type { Deployment, PartRef, Plan } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { COMMON_SET } from '../../contract/names.ts';
import { type DeployedEndpoint, encodeEndpoint } from '../endpoints.ts';
import type { EnvironmentRow } from '../store/rows.ts';
import type { Switch } from '../store/tables/deployed.ts';
import { lastLines } from '../workers/logs.ts';
import { type Proof, proveWorkers } from '../workers/proveWorkers.ts';
import type { Worker } from '../workers/worker.ts';
import { afterUndoing, needsRoll } from './plan.ts';
import { cleanUpRemoved } from './removeEndpoints.ts';
import type { Change, RolloutContext } from './rolloutContext.ts';

export class Rollout {
  readonly change: Change;
  readonly deployment: Deployment;
  readonly #context: RolloutContext;
  readonly #signal: AbortSignal;
  /** Endpoints whose ports this rollout has opened. */
  readonly #opened: string[] = [];
  readonly #targets: DeployedEndpoint[] = [];
  #cleaned: Promise<void> = Promise.resolve();

  /** @param signal Aborts the rollout, which then restores the previous build. Its reason can be the error. */
  constructor(context: RolloutContext, change: Change, deployment: Deployment, signal: AbortSignal) {
    this.#context = context;
    this.change = change;
    this.deployment = deployment;
    this.#signal = signal;
  }

  /**
   * After `run`: resolves when removed endpoints have been cleaned up. The next deploy need not wait for
   * this.
   */
  get cleaned(): Promise<void> {
    return this.#cleaned;
  }

  /**
   * Proves the build, then switches to it or rolls back. Never throws: the deployment contains the outcome.
   */
  async run(): Promise<void> {
    try {
      const { change, deployment } = this;
      for (const spec of change.wanted) this.#targets.push(await this.#target(spec));
      const { autoscaler, workers, driver, events } = this.#context;
      const proof = {
        workers,
        events,
        makeRoom: autoscaler.makeRoom.bind(autoscaler),
        lastLines: async (endpointId: string, workerId: string) =>
          lastLines(await driver.logs(endpointId), workerId),
      };
      if (!(await proveWorkers(proof, this.#proofs(), this.#signal))) {
        const reason: unknown = this.#signal.reason;
        throw reason instanceof ToolkitError ? reason : rolloutFailed(deployment, change.run !== null);
      }
      await this.#commit();
    } catch (error) {
      await this.#rollBack(error);
    }
  }

  /** An endpoint in the new build. Unchanged endpoints are returned as they are. */
  async #target(spec: EndpointSpec): Promise<DeployedEndpoint> {
    const { app, environment, run, plan, current, secrets, parts } = this.change;
    const { build } = this.deployment;
    const before = current.find((endpoint) => endpoint.name === spec.name);
    if (before && plan.unchanged.includes(spec.name)) return before;
    const id = before?.id ?? newEndpointId();
    let port = spec.kind === 'load-balanced' ? (before?.port ?? null) : null;
    if (spec.kind === 'load-balanced' && port === null) {
      port = await this.#context.gateway.open(id, null);
      this.#opened.push(id);
    }
    const rolls = !before || needsRoll(reasonsOf(plan, spec.name));
    return {
      id,
      app,
      environment,
      name: spec.name,
      port,
      build,
      generation: rolls ? build : before.generation,
      run,
      spec,
      secrets: secrets[spec.name] ?? {},
      parts: rolls ? partsOf(parts, spec) : before.parts,
    };
  }

  /** The endpoints to prove: every new endpoint or one that needs new workers, unless it is paused. */
  #proofs(): Proof[] {
    const { deployment } = this;
    return this.#targets.flatMap((target) => {
      const step = deployment.steps.find(({ endpoint }) => endpoint === target.name);
      if (!step) return [];
      if (target.generation === deployment.build && target.spec.workersMax > 0) return [{ target, step }];
      step.state = 'ready';
      step.detail = target.spec.workersMax === 0 ? 'Paused: workers=(0, 0).' : null;
      return [];
    });
  }

  /** Switches in one transaction. Then the new build serves and the old workers drain. */
  async #commit(): Promise<void> {
    const { change, deployment } = this;
    const { plan, current, place } = change;
    const { store, endpoints, workers, jobs, log } = this.#context;
    const changed = this.#targets.filter((target) => target.build === deployment.build);
    const removed = current.filter((endpoint) => plan.remove.includes(endpoint.name));
    for (const step of deployment.steps) if (plan.remove.includes(step.endpoint)) step.state = 'removed';
    const environment = this.#environment();
    await store.deployed.switchTo({
      changed: changed.map(encodeEndpoint),
      removed: removed.map((endpoint) => endpoint.id),
      history: environment && this.#history(environment),
    });
    if (environment) endpoints.setEnvironment(environment);
    for (const target of changed) endpoints.put(target);
    for (const endpoint of removed) endpoints.delete(endpoint.id);
    deployment.state = 'succeeded';
    log.info(
      { deployment: deployment.id, environment: place, build: deployment.build, plan },
      'deploy succeeded',
    );
    for (const target of changed) {
      for (const worker of workers.of(target.id)) {
        if (worker.target.generation === target.generation) worker.target = target;
        else workers.drain(worker);
      }
      const before = current.find((endpoint) => endpoint.id === target.id);
      if (before?.port && target.port === null) this.#context.gateway.close(target.id);
      // No worker serves its queue any more.
      if (before?.spec.kind === 'queue' && target.spec.kind !== 'queue') await jobs.purge(target.id);
      jobs.takers.dispatch(target.id);
      this.#context.events.emit('endpointSwitched', target.id);
    }
    this.#cleaned = cleanUpRemoved(this.#context, removed).catch((error: unknown) =>
      log.error({ err: error, deployment: deployment.id }, 'cleaning up after a deploy failed'),
    );
  }

  /** The environment's row after the switch; null for a live endpoint, which is not part of a build. */
  #environment(): EnvironmentRow | null {
    const { app, environment, run, place } = this.change;
    if (run !== null) return null;
    const known = this.#context.endpoints.environment(app, environment);
    if (!known) throw new Error(`The environment ${place} is gone.`);
    return { ...known, build: this.deployment.build, revision: known.revision + 1 };
  }

  /** Records the build and the deploy in the history of the environment. */
  #history(environment: EnvironmentRow): Switch['history'] {
    const { app, wanted, parts } = this.change;
    return {
      environment,
      build: {
        app,
        environment: environment.name,
        number: environment.build,
        spec: JSON.stringify(wanted),
        parts: JSON.stringify(parts),
        created: new Date().toISOString(),
      },
      deployment: deploymentRow(this.change, { ...this.deployment, state: 'succeeded' }),
    };
  }

  async #rollBack(reason: unknown): Promise<void> {
    const { change, deployment } = this;
    const { endpoints, workers, store, driver, log } = this.#context;
    if (deployment.state === 'succeeded') {
      log.error({ err: reason, deployment: deployment.id }, 'cleaning up after a deploy failed');
      return;
    }
    const candidates = this.#targets.filter((target) => endpoints.get(target.id) !== target);
    for (const target of candidates) {
      const fresh = workers.of(target.id).filter((worker) => worker.target === target);
      // A worker that is still starting has no work to finish.
      const stop = (worker: Worker) => workers.stop(worker, worker.state === 'starting' ? 0 : undefined);
      await Promise.all(fresh.map(stop));
      if (!endpoints.get(target.id)) await driver.forget(target.id);
    }
    for (const id of this.#opened) this.#context.gateway.close(id);
    const failure = reason instanceof ToolkitError ? reason : this.#unexpected(reason);
    log.warn(
      { deployment: deployment.id, environment: change.place, code: failure.code },
      'deploy failed, rolled back',
    );
    const build = endpoints.environment(change.app, change.environment)?.build ?? 0;
    const failed: Deployment = { ...deployment, state: 'failed', build, error: failure.toBody() };
    try {
      if (change.run === null) await store.deployments.put(deploymentRow(change, failed));
    } catch (fault) {
      log.error({ err: fault, deployment: deployment.id }, 'a failed deploy was not stored');
    }
    Object.assign(deployment, failed);
  }

  #unexpected(error: unknown): ToolkitError {
    this.#context.log.error({ err: error }, 'unexpected error in a deploy');
    return new ToolkitError(
      'INTERNAL',
      `The platform failed during this deploy; ${afterUndoing(this.deployment.plan)}.`,
      {
        hint: 'See the platform log: platform/platform.log in TOOLKIT_HOME.',
      },
    );
  }
}

function rolloutFailed(deployment: Deployment, isLive: boolean): ToolkitError {
  const failed = deployment.steps.filter((step) => step.state === 'failed');
  if (failed.length === 0) {
    return new ToolkitError(
      'DRAINING',
      `The platform was stopped during this deploy; ${afterUndoing(deployment.plan)}.`,
      {
        hint: 'Deploy again.',
      },
    );
  }
  const reasons = failed.map((step) => `"${step.endpoint}": ${step.detail ?? 'no reason given'}`).join('; ');
  if (isLive) {
    return new ToolkitError('ROLLOUT_FAILED', `The code does not load. ${reasons}`, {
      hint: "Fix the error that the last lines of the worker's log show, then save.",
    });
  }
  return new ToolkitError(
    'ROLLOUT_FAILED',
    `The new build does not load; ${afterUndoing(deployment.plan)}. ${reasons}`,
    {
      hint: "Fix the error that the last lines of the worker's log show, then deploy again.",
    },
  );
}

/** The row of a deployment in the store. */
export function deploymentRow({ app, environment }: Change, deployment: Deployment) {
  return {
    id: deployment.id,
    app,
    environment,
    state: deployment.state,
    body: JSON.stringify(deployment),
    created: new Date().toISOString(),
  };
}

/** The parts that an endpoint's workers unpack: first its dependencies, then the code. */
function partsOf(parts: readonly PartRef[], spec: EndpointSpec) {
  const ofSet = (set: string) =>
    parts.filter((part) => part.role === 'dependencies' && (part.dependencySet ?? COMMON_SET) === set);
  return [...ofSet(spec.dependencySet), ...parts.filter((part) => part.role === 'code')];
}

function reasonsOf(plan: Plan, name: string): string[] {
  return plan.update.find((update) => update.name === name)?.reasons ?? [];
}

/** Lower-case letters and digits, like the ids of the rented platform. */
function newEndpointId(): string {
  return BigInt(`0x${randomBytes(9).toString('hex')}`)
    .toString(36)
    .padStart(14, '0')
    .slice(-14);
}
