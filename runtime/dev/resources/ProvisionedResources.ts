/**
 * `.toolkit/resources.pkl`: what `dev --auto-provision` has on the platform, so that a dev that starts after a crash
 * takes it over. It is a cache: a damaged one is written again.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import type { LiveRunPlace } from '../../contract/liveRun.ts';
import { encodeManifest } from '../../contract/manifest.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { decodePickle, encodePickle, PickleError } from './pickle.ts';

const provisioned = z.object({
  run: z.string(),
  /** By name: the id on the platform, and what its configuration was. */
  endpoints: z.record(z.string(), z.object({ id: z.string(), configuration: z.string() })),
});

/** Of one platform, app and environment. */
export type Provisioned = z.infer<typeof provisioned>;

/** By platform, app and environment. */
const resources = z.record(z.string(), provisioned);

/** Changes whenever the platform would have something to do. */
export function configurationOf(spec: EndpointSpec): string {
  return hash('sha256', JSON.stringify(encodeManifest([spec])));
}

export class ProvisionedResources {
  readonly #file: string;
  readonly #place: string;
  readonly #warn: (message: string) => void;
  #warned = false;

  /** @param warn - Called with a sentence when the file is damaged or cannot be written. */
  constructor(
    root: string,
    platform: string,
    { app, environment }: Pick<LiveRunPlace, 'app' | 'environment'>,
    warn: (message: string) => void,
  ) {
    this.#file = path.join(root, PROJECT_FILES.resources);
    this.#place = `${platform} ${app}/${environment}`;
    this.#warn = warn;
  }

  /** What the last run left; null when it left nothing. */
  read(): Provisioned | null {
    return this.#readAll()[this.#place] ?? null;
  }

  /** Takes down what a run has now; null when it has ended. */
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
        `${PROJECT_FILES.resources} cannot be written (${code}), so dev will not find again what it provisions.`,
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
        `${PROJECT_FILES.resources} was not written by the toolkit${why}. Nothing of it is used, and it is made again.`,
      );
      return {};
    }
  }

  #warnOnce(message: string): void {
    if (!this.#warned) this.#warn(message);
    this.#warned = true;
  }
}
