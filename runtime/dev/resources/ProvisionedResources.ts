/**
 * `.toolkit/resources.pkl`: the endpoints that `dev --auto-provision` has on the platform, so that a dev server that
 * starts after a crash can reuse them. It is a cache: a damaged file is replaced.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import type { LiveRunTarget } from '../../contract/liveRun.ts';
import { encodeManifest } from '../../contract/manifest.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { decodePickle, encodePickle, PickleError } from './pickle.ts';

const provisioned = z.object({
  run: z.string(),
  /** By name: the endpoint's id on the platform and its configuration. */
  endpoints: z.record(z.string(), z.object({ id: z.string(), configuration: z.string() })),
});

/** The resources for one platform, app and environment. */
export type Provisioned = z.infer<typeof provisioned>;

/** Keyed by platform, app and environment. */
const resources = z.record(z.string(), provisioned);

/** A hash of everything in a specification that requires an update on the platform. */
export function configurationOf(spec: EndpointSpec): string {
  return hash('sha256', JSON.stringify(encodeManifest([spec])));
}

export class ProvisionedResources {
  readonly #file: string;
  readonly #place: string;
  readonly #warn: (message: string) => void;
  #warned = false;

  /** @param warn - Called with one sentence if the file is damaged or cannot be written. */
  constructor(
    root: string,
    platform: string,
    { app, environment }: Pick<LiveRunTarget, 'app' | 'environment'>,
    warn: (message: string) => void,
  ) {
    this.#file = path.join(root, PROJECT_FILES.resources);
    this.#place = `${platform} ${app}/${environment}`;
    this.#warn = warn;
  }

  /** The resources of the last run; null if it left none. */
  read(): Provisioned | null {
    return this.#readAll()[this.#place] ?? null;
  }

  /** Records the current resources of a run; null if it has ended. */
  write(now: Provisioned | null): void {
    const { [this.#place]: _before, ...others } = this.#readAll();
    const all = now ? { ...others, [this.#place]: now } : others;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      const fresh = `${this.#file}.${process.pid}`;
      writeFileSync(fresh, encodePickle(all));
      renameSync(fresh, this.#file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#warnOnce(
        `${PROJECT_FILES.resources} cannot be written (${code}), so endpoints cannot be reused if dev crashes.`,
      );
    }
  }

  #readAll(): Record<string, Provisioned> {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#file);
    } catch {
      return {};
    }
    try {
      return resources.parse(decodePickle(bytes));
    } catch (error) {
      const why = error instanceof PickleError ? `: ${error.message}` : '';
      this.#warnOnce(
        `${PROJECT_FILES.resources} was not written by the toolkit${why}. It is ignored and will be replaced.`,
      );
      return {};
    }
  }

  #warnOnce(message: string): void {
    if (!this.#warned) this.#warn(message);
    this.#warned = true;
  }
}
