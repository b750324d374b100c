/** `--auto-provision`: provisions every endpoint at startup, and reuses the endpoints of a dev server that crashed. */
import { ToolkitError } from '../../contract/errors.ts';
import { LIVE_LIMITS } from '../../contract/limits.ts';
import type { LiveRunTarget } from '../../contract/liveRun.ts';
import { LIVE_PREFIX } from '../../contract/names.ts';
import type { PlatformClient } from '../../deploy/platformClient.ts';
import type { LiveEndpoint, Version } from '../LiveEndpoint.ts';
import type { LiveEndpoints } from '../LiveEndpoints.ts';
import { configurationOf, type Provisioned, type ProvisionedResources } from './ProvisionedResources.ts';

export interface AutoProvisionOptions {
  client: PlatformClient;
  resources: ProvisionedResources;
  /** Whether the dev server of a run is alive. One that is suspended (Ctrl+Z) is alive but sends no heartbeat. */
  isAlive: (run: string) => Promise<boolean>;
  /** Called when an endpoint of the crashed dev server is reused. */
  reused: (endpoint: LiveEndpoint) => void;
  /** Called when an endpoint cannot be provisioned. */
  failed: (error: ToolkitError) => void;
  signal: AbortSignal;
}

export class AutoProvision {
  readonly #options: AutoProvisionOptions;
  /** The endpoints of the crashed run that was taken over. */
  #left: Provisioned | null = null;

  constructor(options: AutoProvisionOptions) {
    this.#options = options;
  }

  /** The run to continue: a crashed one, if the platform still has it, else the new one. */
  async takeOver(run: LiveRunTarget): Promise<LiveRunTarget> {
    const { client, resources, isAlive, signal } = this.#options;
    const left = resources.read();
    if (!left || (await isAlive(left.run))) return run;
    if (!(await client.resumeRun({ ...run, id: left.run }, signal))) return run;
    this.#left = left;
    return { ...run, id: left.run };
  }

  /** Provisions all endpoints, a few at a time. A failure does not stop the others. */
  async provision(live: LiveEndpoints, run: LiveRunTarget): Promise<void> {
    await this.#adopt(live, run);
    const waiting = [...live.all];
    const next = async (): Promise<void> => {
      for (let one = waiting.shift(); one; one = waiting.shift()) await this.#provisionOne(one);
    };
    await Promise.all(Array.from({ length: LIVE_LIMITS.provisionedAtOnce }, next));
    this.record(live, run);
  }

  /** Records the endpoints that serve now. */
  record(live: LiveEndpoints, run: LiveRunTarget): void {
    const endpoints = live.all.flatMap(({ name, address, serving }) =>
      address && serving
        ? [[name, { id: address.id, configuration: configurationOf(serving.spec) }] as const]
        : [],
    );
    this.#options.resources.write({ run: run.id, endpoints: Object.fromEntries(endpoints) });
  }

  /** Clears the record: the run has ended normally, so nothing is left. */
  forget(): void {
    this.#options.resources.write(null);
  }

  async #adopt(live: LiveEndpoints, run: LiveRunTarget): Promise<void> {
    if (!this.#left) return;
    const { client, reused, signal } = this.#options;
    const { endpoints: before } = this.#left;
    const found = await client.environment(run.app, run.environment, signal);
    const unknown: string[] = [];
    for (const { run: of, name: full, id, url, hardware } of found?.endpoints ?? []) {
      if (of !== run.id) continue;
      const name = full.slice(LIVE_PREFIX.length);
      const endpoint = live.get(name);
      if (!endpoint) {
        unknown.push(full);
        continue;
      }
      endpoint.adopt({ id, url, hardware }, (version) => isSame(version, before[name]?.configuration));
      reused(endpoint);
    }
    if (unknown.length > 0) await client.releaseRun(run.id, unknown, signal);
  }

  async #provisionOne(endpoint: LiveEndpoint): Promise<void> {
    try {
      await endpoint.provision();
    } catch (error) {
      if (!(error instanceof ToolkitError)) throw error;
      const { code, message, hint } = error;
      this.#options.failed(
        new ToolkitError(code, `"${endpoint.name}" cannot be provisioned: ${message}`, { hint }),
      );
    }
  }
}

/** Whether a version matches a recorded configuration. One with secrets never does: only the platform can compare them. */
function isSame({ spec, secrets }: Version, configuration: string | undefined): boolean {
  return Object.keys(secrets).length === 0 && configurationOf(spec) === configuration;
}
