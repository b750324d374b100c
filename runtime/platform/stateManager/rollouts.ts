/** Starts rollouts, finds running and ended ones by id, and stops them with the platform. */
import { randomUUID } from 'node:crypto';
import type { Deployment, Plan } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { afterUndoing } from './plan.ts';
import { Rollout } from './rollout.ts';
import type { Change, RolloutContext } from './rolloutContext.ts';

/** Number of deployments kept in memory. Those of live endpoints are not in the store. */
const KEPT = 1_000;

export class Rollouts {
  readonly #context: RolloutContext;
  readonly #deployments = new Map<string, Deployment>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(context: RolloutContext) {
    this.#context = context;
  }

  /**
   * Marks rollouts as failed that a former process of this platform did not finish. `Workers.adopt` has
   * already ended their new workers.
   */
  async recover(): Promise<void> {
    const { store } = this.#context;
    for (const row of await store.deployments.unfinished()) {
      const deployment = JSON.parse(row.body) as Deployment;
      const error = new ToolkitError(
        'ROLLOUT_FAILED',
        `The platform stopped during this deploy; ${afterUndoing(deployment.plan)}.`,
        { hint: 'Deploy again.' },
      );
      const failed: Deployment = { ...deployment, state: 'failed', error: error.toBody() };
      await store.deployments.put({ ...row, state: 'failed', body: JSON.stringify(failed) });
    }
  }

  /**
   * Starts the rollout of a deployment from `newDeployment`. Resolves when it has ended, successfully or
   * not.
   *
   * @param cancelled Aborts it, with the error for the deployment as the reason.
   */
  begin(change: Change, deployment: Deployment, cancelled?: AbortSignal): Promise<void> {
    this.#keep(deployment);
    const { log } = this.#context;
    const { id, build, plan } = deployment;
    log.info({ deployment: id, environment: change.place, build, plan }, 'deploy started');
    const { signal: stopping } = this.#stopping;
    const signal = cancelled ? AbortSignal.any([stopping, cancelled]) : stopping;
    const rollout = new Rollout(this.#context, change, deployment, signal);
    const ended = rollout.run();
    const running = ended.then(() => rollout.cleaned).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return ended;
  }

  /** A deployment that changes nothing. */
  unchanged(plan: Plan, build: number): Deployment {
    const deployment: Deployment = { ...newDeployment(plan, build), state: 'succeeded', steps: [] };
    this.#keep(deployment);
    return deployment;
  }

  async find(id: string): Promise<Deployment | null> {
    const known = this.#deployments.get(id);
    if (known) return known;
    const row = await this.#context.store.deployments.find(id);
    return row ? (JSON.parse(row.body) as Deployment) : null;
  }

  /** Aborts running rollouts. They restore the previous build. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  #keep(deployment: Deployment): void {
    this.#deployments.set(deployment.id, deployment);
    for (const [id, { state }] of this.#deployments) {
      if (this.#deployments.size <= KEPT) return;
      if (state !== 'running') this.#deployments.delete(id);
    }
  }
}

/** A deployment of a plan that has not started. */
export function newDeployment(plan: Plan, build: number): Deployment {
  const names = [...plan.create, ...plan.update.map((update) => update.name), ...plan.remove];
  return {
    id: randomUUID(),
    state: 'running',
    build,
    plan,
    steps: names.map((endpoint) => ({ endpoint, state: 'waiting', detail: null, lines: [] })),
    error: null,
  };
}
