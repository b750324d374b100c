/**
 * One endpoint of a run of dev. It is provisioned at its first call, and updated by each save that changes it. What
 * serves goes on to serve until a newer version has loaded.
 */
import { isDeepStrictEqual } from 'node:util';
import type { EndpointSpec } from '../contract/appSpec.ts';
import { ToolkitError } from '../contract/errors.ts';

/** What a save makes of an endpoint. */
export interface Version {
  spec: EndpointSpec;
  secrets: Record<string, string>;
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

export type LiveState = 'not provisioned' | 'provisioning' | 'ready' | 'updating' | 'failed';

export class LiveEndpoint {
  readonly name: string;
  readonly #rollOut: (version: Version) => Promise<Address>;
  #wanted: Version | null = null;
  /** Why the last save made no version. */
  #fault: ToolkitError | null = null;
  /** The version that was rolled out last, well or not. */
  #tried: Version | null = null;
  #failure: ToolkitError | null = null;
  #address: Address | null = null;
  #rolling: Promise<void> | null = null;

  /** @param rollOut - Makes the platform serve a version; it resolves when the version serves. */
  constructor(name: string, rollOut: (version: Version) => Promise<Address>) {
    this.name = name;
    this.#rollOut = rollOut;
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
   * @returns Whether it is another version that serves now, or would at the first call. Resolves when it serves or has
   * failed; at once for an endpoint that nobody called yet.
   */
  async update(version: Version | ToolkitError): Promise<boolean> {
    if (version instanceof ToolkitError) {
      this.#fault = version;
      return false;
    }
    this.#fault = null;
    // Objects that say the same need no roll-out.
    if (isDeepStrictEqual(version, this.#wanted)) return false;
    this.#wanted = version;
    if (this.isLive) await this.#roll();
    return this.#failure === null;
  }

  /**
   * Where to send a request: to what serves, else to the version that is provisioned now.
   *
   * @throws ToolkitError why nothing serves.
   */
  async target(): Promise<Target> {
    if (!this.#address) await this.provision();
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
    while (this.#wanted && this.#tried !== this.#wanted) {
      const version = this.#wanted;
      this.#tried = version;
      try {
        this.#address = await this.#rollOut(version);
        this.#failure = null;
      } catch (error) {
        if (!(error instanceof ToolkitError)) throw error;
        this.#failure = error;
        // What the platform could not do once, it may do at the next call.
        if (error.code !== 'ROLLOUT_FAILED') this.#tried = null;
        return;
      }
    }
  }
}

function gone(name: string): ToolkitError {
  return new ToolkitError('ENDPOINT_NOT_FOUND', `No file declares "${name}" any more.`, {
    hint: 'Declare it again, or call another one: `GET /` lists them.',
  });
}
