/**
 * One endpoint of a run of dev. It is provisioned at its first call, and updated by each save that changes it. What
 * serves goes on to serve until a newer version has loaded.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ArtifactPart } from '../build/buildProject.ts';
import type { EndpointSpec } from '../contract/appSpec.ts';
import { ToolkitError } from '../contract/errors.ts';

/** What a save makes of an endpoint. */
export interface Version {
  spec: EndpointSpec;
  secrets: Record<string, string>;
  /** What its workers unpack. Later builds have their own, which may hold code that was broken since. */
  parts: readonly ArtifactPart[];
}

/** Where an endpoint serves. */
export interface Address {
  id: string;
  url: string;
  /** As the platform describes it. */
  hardware: string;
}

/** Where a request goes. */
export interface Target extends Address {
  /** Why it is not the newest version that answers; null when it is. */
  stale: ToolkitError | null;
}

/** What a save did: its version serves, the one before is the newest again, or neither. */
export type Outcome = 'updated' | 'recovered' | 'same';

/** Waits before a roll-out is tried again that failed for a reason of the platform, milliseconds. */
const RETRY = { first: 1_000, longest: 30_000 } as const;

export type LiveState = 'not provisioned' | 'provisioning' | 'ready' | 'updating' | 'failed';

/** Why no version of an endpoint answers a request. */
class NothingServes extends ToolkitError {
  constructor({ code, message, hint }: ToolkitError) {
    super(code, message, { hint });
  }

  override get status(): number {
    return 503;
  }
}

interface LiveEndpointOptions {
  /** Makes the platform serve a version; resolves when the version serves. */
  rollOut: (version: Version) => Promise<Address>;
  /** Another version serves. */
  switched: () => void;
  /** A roll-out that had failed was tried again, and the newest version serves. */
  recovered: () => void;
}

export class LiveEndpoint {
  readonly name: string;
  readonly #options: LiveEndpointOptions;
  #wanted: Version | null = null;
  /** Why the last save made no version. */
  #fault: ToolkitError | null = null;
  /** The version that was rolled out last, well or not. */
  #tried: Version | null = null;
  #failure: ToolkitError | null = null;
  #address: Address | null = null;
  /** The version at the address, as far as dev knows. */
  #serving: Version | null = null;
  #rolling: Promise<void> | null = null;
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

  /** Why the newest code does not serve; null when it does, or would at the first call. */
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

  /** Whether a request is answered by some version of it. */
  get canServe(): boolean {
    return this.#address !== null || (this.#wanted !== null && this.#failure === null);
  }

  /** Whether dev tries again by itself to serve the newest code: the platform failed, not the code. */
  get isRetried(): boolean {
    return this.#retry !== null && this.#fault === null;
  }

  /** Where it serves; null before the first call. */
  get address(): Address | null {
    return this.#address;
  }

  /** Whether it was called, or is being provisioned. */
  get isLive(): boolean {
    return this.#address !== null || this.#rolling !== null;
  }

  /**
   * Takes over what a save made of it. The former version is kept where there is none.
   *
   * @returns What that changed, once the version serves, has failed or was replaced by a newer one; at once for an
   *   endpoint that nobody called yet.
   */
  async update(version: Version | ToolkitError): Promise<Outcome> {
    if (version instanceof ToolkitError) {
      this.#fault = version;
      return 'same';
    }
    const wasStale = this.stale !== null;
    this.#fault = null;
    const isNew = !isSame(version, this.#wanted);
    // Also when it says the same: the parts of the newest build are the ones to upload.
    this.#wanted = version;
    if (!isNew) return wasStale && !this.stale ? 'recovered' : 'same';
    this.#endRetry();
    if (!this.isLive) {
      // What failed was another version; this one is tried at the next call.
      this.#failure = null;
      return 'updated';
    }
    await this.#roll();
    return isSame(version, this.#serving) ? 'updated' : 'same';
  }

  /**
   * Takes over what a run before has left.
   *
   * @param isCurrent - Whether a version is what serves there.
   */
  adopt(address: Address, isCurrent: (version: Version) => boolean): void {
    this.#address = address;
    if (!this.#wanted || !isCurrent(this.#wanted)) return;
    this.#tried = this.#wanted;
    this.#serving = this.#wanted;
  }

  /** The platform does not have it any more: the next call provisions it again. */
  forget(): void {
    this.#address = null;
    this.#serving = null;
    this.#tried = null;
    this.#failure = null;
    this.#endRetry();
  }

  /** Ends what is still to come of it. */
  close(): void {
    this.#wanted = null;
    this.#endRetry();
  }

  /**
   * Where to send a request: to what serves, else to the version that is provisioned now.
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
   * @throws ToolkitError why it does not serve.
   */
  async provision(): Promise<void> {
    if (!this.#wanted) throw this.#fault ?? gone(this.name);
    await this.#roll();
    if (!this.#address) throw this.#failure ?? gone(this.name);
  }

  /** Rolls out the wanted version, and those that become wanted meanwhile. */
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
      try {
        this.#address = await this.#options.rollOut(version);
        this.#serving = version;
        this.#failure = null;
        this.#retryMs = RETRY.first;
        this.#options.switched();
      } catch (error) {
        if (!(error instanceof ToolkitError)) throw error;
        this.#failure = error;
        // What the platform could not do once, it may do later.
        if (error.code === 'ROLLOUT_FAILED') continue;
        this.#tried = null;
        if (this.#address) this.#retryLater();
        return;
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

/** Whether workers of both answer alike. The fingerprints of a specification stand for the code in the parts. */
function isSame({ spec, secrets }: Version, other: Version | null): boolean {
  return other !== null && isDeepStrictEqual([spec, secrets], [other.spec, other.secrets]);
}

function gone(name: string): ToolkitError {
  return new ToolkitError('ENDPOINT_NOT_FOUND', `No file declares "${name}" any more.`, {
    hint: 'Declare it again, or call another one: `GET /` lists them.',
  });
}
