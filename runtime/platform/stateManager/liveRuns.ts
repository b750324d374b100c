/**
 * Live endpoints of `toolkit dev`. Each belongs to a run and is rolled out on its own. A run without a
 * heartbeat for some time ends, and its endpoints are removed.
 */
import { Readable } from 'node:stream';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { LIVE_LIMITS } from '../../contract/limits.ts';
import type { Declined, LiveRunTarget, ProvisionInput, Renewal } from '../../contract/liveRun.ts';
import { decodeManifest } from '../../contract/manifestSchema.ts';
import { LIVE_PREFIX } from '../../contract/names.ts';
import type { Keys } from '../auth/keys.ts';
import { type DeployedEndpoint, environmentKey } from '../endpoints.ts';
import type { Gpus } from '../hardware/gpus.ts';
import type { Interpreters } from '../interpreters.ts';
import { checkNames, checkNode, checkQuota } from './deployChecks.ts';
import { keptParts } from './keptParts.ts';
import { LiveRun, type Provisioning } from './liveRun.ts';
import type { PartPromises } from './partPromises.ts';
import { checkPart, type Parts } from './parts.ts';
import { computePlan, isUnchanged } from './plan.ts';
import { cleanUpRemoved } from './removeEndpoints.ts';
import type { RolloutContext } from './rolloutContext.ts';
import { newDeployment, type Rollouts } from './rollouts.ts';

export interface LiveRunsContext extends RolloutContext {
  parts: Parts;
  promises: PartPromises;
  gpus: Gpus;
  interpreters: Interpreters;
  keys: Keys;
  quota: number;
  rollouts: Rollouts;
}

export class LiveRuns {
  readonly #context: LiveRunsContext;
  readonly #runs = new Map<string, LiveRun>();
  readonly #timer: NodeJS.Timeout;

  constructor(context: LiveRunsContext) {
    this.#context = context;
    for (const { run, app, environment } of context.endpoints.all())
      if (run !== null) this.#runs.set(run, new LiveRun({ id: run, app, environment }));
    context.events.on('endpointRemoved', ({ run }) => {
      if (run !== null) this.#runs.get(run)?.wake();
    });
    this.#timer = setInterval(() => this.#expire(), LIVE_LIMITS.runExpiry / 24);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const run of this.#runs.values()) run.close();
  }

  /**
   * Records a heartbeat of a run. The first call creates the run.
   *
   * @param said - Wanted endpoints that were declined, ids of the endpoints that the run lists, and how long
   * to wait for a response, milliseconds.
   * @throws ToolkitError MANIFEST_INVALID for an invalid name.
   */
  async renew(
    place: LiveRunTarget,
    { declined, serving, wait }: { declined: readonly Declined[]; serving: readonly string[]; wait: number },
    signal: AbortSignal,
  ): Promise<Renewal> {
    checkNames(place.app, place.environment, []);
    let run = this.#runs.get(place.id);
    if (!run) this.#runs.set(place.id, (run = new LiveRun(place)));
    for (const one of declined) run.settle(one.name, one);
    const lost = () => serving.filter((id) => this.#context.endpoints.get(id)?.run !== place.id);
    const waitMs = lost().length > 0 ? 0 : Math.min(wait, LIVE_LIMITS.renewWait);
    return { wanted: await run.wanted(waitMs, signal), lost: lost() };
  }

  /**
   * Resumes a run whose process ended without releasing it.
   *
   * @returns Whether the run exists and nothing renews it.
   */
  async resume({ id, app, environment }: LiveRunTarget): Promise<boolean> {
    const run = this.#runs.get(id);
    if (!run || run.app !== app || run.environment !== environment) return false;
    return (await run.resume()) && this.#runs.get(id) === run;
  }

  /**
   * Creates or updates one endpoint of a run. Follow the rollout with `deployment(id)`. A rollout of the
   * endpoint that is in progress is cancelled: its code may never finish loading.
   *
   * @throws ToolkitError NOT_FOUND for a run that has ended, DEPLOY_CONFLICT if a newer call replaces this one
   * or the endpoint is released, UPLOAD_REJECTED for a damaged carried part, and the errors of `deployChecks`.
   */
  async provision(input: ProvisionInput): Promise<Deployment> {
    const declared = decodeManifest(input.manifest);
    const run = this.#runs.get(input.run);
    const [spec, ...others] = declared;
    if (!run || !spec || others.length > 0) throw notProvisioned(run, declared.length);
    const name = LIVE_PREFIX + spec.name;
    const provisioning = run.provision(name);
    try {
      await this.#takeCarried(input);
      await provisioning.earlier;
      provisioning.cancelled.throwIfAborted();
      return await this.#rollOut(run, { ...spec, name }, input, provisioning);
    } catch (error) {
      provisioning.end();
      this.#redeem(input);
      throw error;
    }
  }

  /**
   * Removes endpoints of a run; without names, all of them and the run itself.
   *
   * @returns Their names, once their workers are gone.
   */
  async release(id: string, names: readonly string[] | null): Promise<string[]> {
    const { endpoints, store } = this.#context;
    const run = this.#runs.get(id);
    if (names === null) await this.#end(id);
    await run?.cancel(names, 'The endpoint was removed.');
    const removed = endpoints.ofRun(id).filter(({ name }) => names === null || names.includes(name));
    await store.deployed.deleteEndpoints(removed.map((endpoint) => endpoint.id));
    for (const endpoint of removed) endpoints.delete(endpoint.id);
    await cleanUpRemoved(this.#context, removed);
    return removed.map(({ name }) => name);
  }

  /**
   * Looks up an endpoint of a run for a worker of the same run. If it does not exist, asks the run to provide
   * it.
   *
   * @throws ToolkitError the reason if the run declines it.
   */
  async lookUp(id: string, name: string): Promise<DeployedEndpoint | null> {
    const own = LIVE_PREFIX + name;
    const find = () => this.#context.endpoints.ofRun(id).find((endpoint) => endpoint.name === own) ?? null;
    const known = find();
    const run = this.#runs.get(id);
    if (known || !run) return known;
    const declined = await run.waitFor(name, LIVE_LIMITS.lookupWait);
    if (declined) {
      const { code, message, hint } = declined.error;
      throw new ToolkitError(code, message, { hint });
    }
    return find();
  }

  async #rollOut(
    run: LiveRun,
    spec: EndpointSpec,
    input: ProvisionInput,
    { cancelled, end }: Provisioning,
  ): Promise<Deployment> {
    const { endpoints, interpreters, gpus, rollouts, quota } = this.#context;
    const { app, environment } = run;
    const ofRuns = endpoints.all().filter((endpoint) => endpoint.run !== null);
    const current = ofRuns.filter((endpoint) => endpoint.run === run.id && endpoint.name === spec.name);
    const place = environmentKey(app, environment);
    const shares = ofRuns.filter((endpoint) => !current.includes(endpoint)).map(shareOf);
    checkQuota([...shares, { place, ...spec }], place, quota);
    checkNode([spec], [...(await interpreters.all()).keys()], gpus);
    const secrets = { [spec.name]: Object.values(input.secrets)[0] ?? {} };
    const plan = computePlan(current, [spec], secrets);
    const build = (current[0]?.build ?? 0) + 1;
    const ended = () => {
      end();
      this.#settled(run, spec.name);
      this.#redeem(input);
    };
    if (isUnchanged(plan)) {
      ended();
      return rollouts.unchanged(plan, build - 1);
    }
    const parts = keptParts(this.#context.parts, input.parts, [spec]);
    const deployment = newDeployment(plan, build);
    const wanted = [spec];
    const change = { app, environment, run: run.id, place, current, wanted, plan, parts, secrets };
    void rollouts.begin(change, deployment, cancelled).finally(ended);
    return deployment;
  }

  async #takeCarried({ parts, carried }: ProvisionInput): Promise<void> {
    for (const { content, bytes } of carried) {
      const part = parts.find((one) => one.content === content);
      if (!part) continue;
      checkPart(part);
      this.#context.promises.make(content);
      const received = await this.#context.parts.receive(
        part,
        0,
        Readable.from([Buffer.from(bytes, 'base64')]),
      );
      if (received !== part.size)
        throw new ToolkitError(
          'UPLOAD_REJECTED',
          `Received only ${received} of ${part.size} bytes of the part ${content}.`,
        );
    }
  }

  #settled(run: LiveRun, name: string): void {
    if (this.#context.endpoints.ofRun(run.id).some((endpoint) => endpoint.name === name))
      run.settle(name.slice(LIVE_PREFIX.length), null);
    // The run ended during the rollout of its endpoint.
    if (!this.#runs.has(run.id)) this.#released(this.release(run.id, null));
  }

  /** Ends the promises for the parts: the endpoint now refers to them, or they are not needed. */
  #redeem({ parts }: ProvisionInput): void {
    for (const { content } of parts) this.#context.promises.redeem(content);
  }

  #expire(): void {
    const now = performance.now();
    for (const run of this.#runs.values()) {
      if (now - run.lastHeard <= LIVE_LIMITS.runExpiry) continue;
      this.#context.log.info({ run: run.id, app: run.app }, 'removing a silent run of dev');
      this.#released(this.release(run.id, null));
    }
  }

  async #end(id: string): Promise<void> {
    const run = this.#runs.get(id);
    this.#runs.delete(id);
    run?.close();
    await this.#context.keys.revokeOfRun(id);
  }

  #released(done: Promise<unknown>): void {
    done.catch((error: unknown) => this.#context.log.error({ err: error }, 'removing a run of dev failed'));
  }
}

function shareOf({ app, environment, name, spec }: DeployedEndpoint) {
  return { place: environmentKey(app, environment), name, workersMax: spec.workersMax };
}

function notProvisioned(run: LiveRun | undefined, endpoints: number): ToolkitError {
  return run
    ? new ToolkitError(
        'MANIFEST_INVALID',
        `A live endpoint's manifest must contain one endpoint, not ${endpoints}.`,
      )
    : new ToolkitError('NOT_FOUND', 'This run of the dev server has ended.', {
        hint: 'Run "toolkit dev" again.',
      });
}
