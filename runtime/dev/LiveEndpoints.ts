/** All endpoints of a run of dev: provisioned when called, updated by saves, released at the end. */
import { readFile } from 'node:fs/promises';
import type { ArtifactPart } from '../build/buildProject.ts';
import type { AppSpec } from '../contract/appSpec.ts';
import type { Deployment } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { CarriedPart, LiveRunTarget } from '../contract/liveRun.ts';
import { encodeManifest } from '../contract/manifest.ts';
import { LIVE_PREFIX } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import { followDeployment } from '../deploy/followDeployment.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';
import { partRef, uploadParts } from '../deploy/uploadParts.ts';
import { type Address, LiveEndpoint, type Outcome, type Version } from './LiveEndpoint.ts';

/** In bytes. A larger part is uploaded instead of being carried in the request. */
const MOST_CARRIED = 65_536;

/** The versions of all endpoints after a save. */
export interface Versions {
  app: AppSpec;
  /** The parts that the app's workers unpack. */
  parts: readonly ArtifactPart[];
  /** Endpoint → variable → value. */
  secrets: Record<string, Record<string, string>>;
  /** Endpoints that keep their earlier version, with the reason. */
  faults: ReadonlyMap<string, ToolkitError>;
}

export interface LiveEndpointsOptions {
  client: PlatformClient;
  run: LiveRunTarget;
  /** Called when an endpoint serves for the first time. */
  provisioned: (endpoint: string, hardware: string, milliseconds: number) => void;
  /** Called when an endpoint serves another version or is gone. */
  switched: () => void;
  /** Called when an endpoint serves its newest version again without a save. */
  recovered: (endpoint: string) => void;
  report: ReportProgress;
  signal: AbortSignal;
}

/** Names of endpoints that a save changed. */
export interface Applied {
  updated: string[];
  /** Endpoints whose mistake is fixed and whose newest code serves. */
  recovered: string[];
  added: string[];
  removed: string[];
}

export class LiveEndpoints {
  readonly #options: LiveEndpointsOptions;
  readonly #endpoints = new Map<string, LiveEndpoint>();
  /** Versions whose parts are being uploaded, including those of removed endpoints. */
  readonly #uploading = new Set<Version>();

  constructor(options: LiveEndpointsOptions) {
    this.#options = options;
  }

  /** Every endpoint that is declared or still serves, by name. */
  get all(): readonly LiveEndpoint[] {
    return [...this.#endpoints.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Parts that a current or later rollout needs. */
  get parts(): ReadonlySet<ArtifactPart> {
    const wanted = this.all.flatMap((endpoint) => endpoint.wanted ?? []);
    return new Set([...wanted, ...this.#uploading].flatMap(({ parts }) => parts));
  }

  get(name: string): LiveEndpoint | null {
    return this.#endpoints.get(name) ?? null;
  }

  /** @throws ToolkitError ENDPOINT_NOT_FOUND */
  find(name: string): LiveEndpoint {
    const found = this.get(name);
    if (found) return found;
    throw new ToolkitError('ENDPOINT_NOT_FOUND', `"${name}" is not declared in this project.`, {
      hint: 'GET / of the dev server lists the declared endpoints.',
    });
  }

  /** Applies the result of a save. Resolves when every live endpoint has been updated or has failed to. */
  async apply({ app, parts, secrets, faults }: Versions): Promise<Applied> {
    const named = new Set([...app.map(({ name }) => name), ...faults.keys()]);
    const removed = [...this.#endpoints.keys()].filter((name) => !named.has(name));
    const added = [...named].filter((name) => !this.#endpoints.has(name)).sort();
    const changed = await Promise.all([
      ...app.map((spec) => this.#open(spec.name).update({ spec, secrets: secrets[spec.name] ?? {}, parts })),
      ...[...faults].map(([name, fault]) => this.#open(name).update(fault)),
      this.#remove(removed),
    ]);
    const which = (outcome: Outcome) =>
      app.flatMap(({ name }, at) => (changed[at] === outcome && !added.includes(name) ? [name] : []));
    return { updated: which('updated'), recovered: which('recovered'), added, removed: removed.sort() };
  }

  /** Forgets endpoints, by id, that no longer exist on the platform. Returns their names. */
  forget(ids: readonly string[]): string[] {
    const lost = this.all.filter(({ address }) => address && ids.includes(address.id));
    for (const endpoint of lost) endpoint.forget();
    if (lost.length > 0) this.#options.switched();
    return lost.map(({ name }) => name);
  }

  /** Stops further rollouts and retries. */
  close(): void {
    for (const endpoint of this.#endpoints.values()) endpoint.close();
  }

  #open(name: string): LiveEndpoint {
    const made = () =>
      new LiveEndpoint(name, {
        rollOut: (version, overtaken) => this.#rollOut(version, overtaken),
        switched: () => this.#options.switched(),
        recovered: () => this.#options.recovered(name),
      });
    const known = this.#endpoints.get(name) ?? made();
    this.#endpoints.set(name, known);
    return known;
  }

  async #remove(names: readonly string[]): Promise<void> {
    const live = names.filter((name) => this.#endpoints.get(name)!.isLive);
    for (const name of names) {
      this.#endpoints.get(name)!.close();
      this.#endpoints.delete(name);
    }
    if (live.length === 0) return;
    this.#options.switched();
    const { client, run, signal } = this.#options;
    await client.releaseRun(
      run.id,
      live.map((name) => LIVE_PREFIX + name),
      signal,
    );
  }

  async #rollOut(version: Version, overtaken: AbortSignal): Promise<Address> {
    const { client, run, report } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, overtaken]);
    const { spec } = version;
    const startedAt = performance.now();
    const isFirst = !this.#endpoints.get(spec.name)?.address;
    await followDeployment(client, await this.#provision(version, signal), report, signal);
    const found = await client.environment(run.app, run.environment, signal);
    const name = LIVE_PREFIX + spec.name;
    const served = found?.endpoints.find((one) => one.run === run.id && one.name === name);
    if (!served)
      throw new ToolkitError('PLATFORM_FAILED', `"${name}" no longer exists on the platform.`, {
        hint: 'Send the request again.',
      });
    if (isFirst)
      this.#options.provisioned(spec.name, served.hardware, Math.round(performance.now() - startedAt));
    return { id: served.id, url: served.url, hardware: served.hardware };
  }

  /** Uploads the parts of a version that the platform lacks, and starts its rollout. */
  async #provision(version: Version, signal: AbortSignal): Promise<Deployment> {
    const { client, run, report } = this.#options;
    const { spec, secrets } = version;
    this.#uploading.add(version);
    try {
      const own = version.parts.filter(({ dependencySet }) =>
        [null, spec.dependencySet].includes(dependencySet),
      );
      const [small, large] = [own.filter(isCarried), own.filter((part) => !isCarried(part))];
      const carried = await Promise.all(small.map(readCarried));
      await uploadParts(client, large, report, signal);
      const manifest = encodeManifest([spec]);
      const parts = own.map(partRef);
      const input = { run: run.id, manifest, parts, carried, secrets: { [spec.name]: secrets } };
      signal.throwIfAborted();
      // Not aborted when the version is overtaken: the platform could receive the request after the newer one, and
      // replace the newer version.
      return await client.provision(input, this.#options.signal);
    } finally {
      this.#uploading.delete(version);
    }
  }
}

/** Whether a part's bytes are carried in the provision request, as after a save. An upload takes two more requests. */
function isCarried({ role, size }: ArtifactPart): boolean {
  return role === 'code' && size <= MOST_CARRIED;
}

async function readCarried({ content, file, offset, size }: ArtifactPart): Promise<CarriedPart> {
  const bytes = await readFile(file);
  return { content, bytes: bytes.subarray(offset, offset + size).toString('base64') };
}
