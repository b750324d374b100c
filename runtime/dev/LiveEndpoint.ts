/**
 * One endpoint of a run of dev. It is provisioned at its first call, and updated by each save that changes it. The
 * current version keeps serving until a newer one has loaded.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ArtifactPart } from '../build/buildProject.ts';
import type { EndpointSpec } from '../contract/appSpec.ts';
import { ToolkitError } from '../contract/errors.ts';
import { Overtaking } from './Overtaking.ts';

/** One version of an endpoint, produced by a save. */
export interface Version {
  spec: EndpointSpec;
  secrets: Record<string, string>;
  /** The parts that its workers unpack. Later builds have their own parts, which can contain code that broke since. */
  parts: readonly ArtifactPart[];
}

/** Where a live endpoint serves. */
export interface Address {
  id: string;
  url: string;
  /** The platform's description of the hardware. */
  hardware: string;
}

/** Where a request is sent. */
export interface Target extends Address {
  /** Why an older version responds; null if it is the newest one. */
  stale: ToolkitError | null;
}

/** Result of a save: its version serves, the serving version is the newest again, or neither. */
export type Outcome = 'updated' | 'recovered' | 'same';

/** Delays in milliseconds before retrying a rollout that failed because of the platform. */
const RETRY = { first: 1_000, longest: 30_000 } as const;

export type LiveState = 'not provisioned' | 'provisioning' | 'ready' | 'updating' | 'failed';

/** No version of an endpoint can handle a request. Carries the reason. */
class NothingServes extends ToolkitError {
  constructor({ code, message, hint }: ToolkitError) {
    super(code, message, { hint });
  }

  override get status(): number {
    return 503;
  }
}

interface LiveEndpointOptions {
  /**
   * Rolls out a version on the platform, in place of one that is being rolled out. Resolves when it serves.
   *
   * @param overtaken - Aborted when a newer version is waiting, or the endpoint is removed.
   */
  rollOut: (version: Version, overtaken: AbortSignal) => Promise<Address>;
  /** Called when another version serves. */
  switched: () => void;
  /** Called when a retried rollout has succeeded, so that the newest version serves. */
  recovered: () => void;
}

export class LiveEndpoint {
  readonly name: string;
  readonly #options: LiveEndpointOptions;
  #wanted: Version | null = null;
  /** Why the last save produced no version. */
  #fault: ToolkitError | null = null;
  /** The version that was last rolled out, whether that succeeded or failed. */
  #tried: Version | null = null;
  #failure: ToolkitError | null = null;
  #address: Address | null = null;
  /** The version at the address; null if unknown. */
  #serving: Version | null = null;
  #rolling: Promise<void> | null = null;
  readonly #overtaking = new Overtaking();
  /** Resolves when the address is known. */
  #served = Promise.withResolvers<void>();
  #retry: NodeJS.Timeout | null = null;
  #retryMs: number = RETRY.first;

  constructor(name: string, options: LiveEndpointOptions) {
    this.name = name;
    this.#options = options;
  }

  get state(): LiveState {
    if (this.#rolling) return this.#address ? 'updating' : 'provisioning';
    if (this.#address) return 'ready';
    return this.#failure ? 'failed' : 'not provisioned';
  }

  /** Why the newest code does not serve; null if it does, or would at the first call. */
  get stale(): ToolkitError | null {
    return this.#fault ?? this.#failure;
  }

  /** The newest good version. */
  get wanted(): Version | null {
    return this.#wanted;
  }

  get serving(): Version | null {
    return this.#serving;
  }

  /** Whether any version can handle a request. */
  get canServe(): boolean {
    return this.#address !== null || (this.#wanted !== null && this.#failure === null);
  }

  /** Whether dev retries the rollout by itself: the platform failed, not the code. */
  get isRetried(): boolean {
    return this.#retry !== null && this.#fault === null;
  }

  /** Its address; null before the first call. */
  get address(): Address | null {
    return this.#address;
  }

  /** Whether it is provisioned or being provisioned. */
  get isLive(): boolean {
    return this.#address !== null || this.#rolling !== null;
  }

  /**
   * Applies the result of a save. On an error, the earlier version is kept.
   *
   * @returns The result: at once for an endpoint that has not been called, otherwise when the version serves, has
   *   failed, or was replaced by a newer one.
   */
  async update(version: Version | ToolkitError): Promise<Outcome> {
    if (version instanceof ToolkitError) {
      this.#fault = version;
      return 'same';
    }
    const wasStale = this.stale !== null;
    this.#fault = null;
    const isNew = !isSame(version, this.#wanted);
    // Even if nothing changed: later uploads must use the parts of the newest build.
    this.#wanted = version;
    if (!isNew) return wasStale && !this.stale ? 'recovered' : 'same';
    this.#endRetry();
    if (!this.isLive) {
      // An earlier version failed. This one is tried at the next call.
      this.#failure = null;
      return 'updated';
    }
    this.#overtaking.overtake();
    await this.#roll();
    return isSame(version, this.#serving) ? 'updated' : 'same';
  }

  /**
   * Takes over the live endpoint of an earlier run.
   *
   * @param isCurrent - Whether a given version is the one that serves there.
   */
  adopt(address: Address, isCurrent: (version: Version) => boolean): void {
    this.#address = address;
    if (!this.#wanted || !isCurrent(this.#wanted)) return;
    this.#tried = this.#wanted;
    this.#serving = this.#wanted;
  }

  /** Forgets the address, because the endpoint no longer exists on the platform. The next call provisions it again. */
  forget(): void {
    this.#address = null;
    this.#served = Promise.withResolvers();
    this.#serving = null;
    this.#tried = null;
    this.#failure = null;
    this.#endRetry();
  }

  /** Stops further rollouts and retries. */
  close(): void {
    this.#wanted = null;
    this.#overtaking.end();
    this.#endRetry();
  }

  /**
   * Where to send a request: to the serving version. If there is none, provisions the newest one first.
   *
   * @throws NothingServes with the reason.
   */
  async target(): Promise<Target> {
    if (!this.#address)
      await this.provision().catch((error: unknown) => {
        throw error instanceof ToolkitError ? new NothingServes(error) : error;
      });
    return { ...this.#address!, stale: this.stale };
  }

  /**
   * Provisions the newest version.
   *
   * @throws ToolkitError with the reason if it does not serve.
   */
  async provision(): Promise<void> {
    if (!this.#wanted) throw this.#fault ?? gone(this.name);
    // Newer versions can follow for as long as a program keeps writing files.
    await Promise.race([this.#roll(), this.#served.promise]);
    if (!this.#address) throw this.#failure ?? gone(this.name);
  }

  /** Rolls out the wanted version, and any newer one that arrives in the meantime. */
  #roll(): Promise<void> {
    this.#rolling ??= this.#rollAll().finally(() => {
      this.#rolling = null;
    });
    return this.#rolling;
  }

  async #rollAll(): Promise<void> {
    while (this.#wanted && !isSame(this.#wanted, this.#tried)) {
      const version = this.#wanted;
      this.#tried = version;
      const overtaken = this.#overtaking.begin();
      try {
        this.#address = await this.#options.rollOut(version, overtaken);
        this.#serving = version;
        this.#served.resolve();
        this.#failure = null;
        this.#retryMs = RETRY.first;
        this.#options.switched();
      } catch (error) {
        if (overtaken.aborted) {
          // The platform may have switched to it before it is replaced.
          this.#serving = null;
          continue;
        }
        if (!(error instanceof ToolkitError)) throw error;
        this.#failure = error;
        // A ROLLOUT_FAILED is the code's fault and is not retried; any other failure is the platform's and can pass.
        if (error.code === 'ROLLOUT_FAILED') continue;
        this.#tried = null;
        if (this.#address) this.#retryLater();
        return;
      } finally {
        this.#overtaking.ended();
      }
    }
  }

  #retryLater(): void {
    this.#endRetry();
    this.#retry = setTimeout(async () => {
      this.#retry = null;
      await this.#roll();
      if (!this.stale) this.#options.recovered();
    }, this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY.longest);
  }

  #endRetry(): void {
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
  }
}

/** Whether two versions behave the same. The fingerprints in a specification identify the code in its parts. */
function isSame({ spec, secrets }: Version, other: Version | null): boolean {
  return other !== null && isDeepStrictEqual([spec, secrets], [other.spec, other.secrets]);
}

function gone(name: string): ToolkitError {
  return new ToolkitError('ENDPOINT_NOT_FOUND', `"${name}" is no longer declared in this project.`, {
    hint: 'Declare it again, or call another endpoint: GET / lists them.',
  });
}
