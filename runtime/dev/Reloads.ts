/** Applies the saves of a project to its routes and live endpoints, and reports the changes. */
import { isDeepStrictEqual } from 'node:util';
import type { DevEvent, KeptEndpoint } from '../contract/devEvents.ts';
import type { DevProject } from './DevProject.ts';
import { type DevRoutes, devRoutes } from './devRoutes.ts';
import { RouteTable } from './http/routeTable.ts';
import type { LiveEndpoint } from './LiveEndpoint.ts';
import type { Applied, LiveEndpoints } from './LiveEndpoints.ts';
import { RewrittenFile } from './RewrittenFile.ts';

interface ReloadsOptions {
  project: DevProject;
  live: LiveEndpoints;
  emit: (event: DevEvent) => void;
  /** Called when the routes, or the versions that serve them, have changed. */
  changed: () => void;
  failed: (error: unknown) => void;
  warn: (message: string) => void;
  /** Aborted at the end of the run. Later failures are not reported. */
  signal: AbortSignal;
}

const NOTHING: Applied = { updated: [], recovered: [], added: [], removed: [] };

export class Reloads {
  readonly #options: ReloadsOptions;
  #routes: DevRoutes = { routes: [], clashes: [] };
  #table = new RouteTable(this.#routes);
  /** The endpoints that keep their last good version, as last reported. */
  #kept: readonly KeptEndpoint[] = [];
  readonly #rewritten: RewrittenFile;

  constructor(options: ReloadsOptions) {
    this.#options = options;
    this.#rewritten = new RewrittenFile(options.warn);
  }

  get routes(): DevRoutes {
    return this.#routes;
  }

  get table(): RouteTable {
    return this.#table;
  }

  /** Reads the project for the first time. */
  async start(): Promise<void> {
    await (await this.#read([], this.#options.signal)).applied;
  }

  /**
   * Applies a save: new paths at once, new code when its workers are ready. The next save does not wait for them.
   *
   * @param overtaken - Aborted when the next save is waiting: it includes this one.
   */
  async take(places: readonly string[], overtaken: AbortSignal): Promise<void> {
    const { project, changed, signal } = this.#options;
    if (signal.aborted) return;
    const startedAt = performance.now();
    try {
      const { applied } = await this.#read(places, overtaken);
      this.#rewritten.take(places, (file) => project.isData(file));
      applied.then(
        (what) => this.report(what, startedAt),
        (error: unknown) => this.#fail(error),
      );
      changed();
    } catch (error) {
      if (error !== overtaken.reason) this.#fail(error);
    }
  }

  /** Reports what has changed, and which endpoints keep their last good version. */
  report(applied: Partial<Applied> = {}, startedAt = performance.now()): void {
    const { live, emit, changed } = this.#options;
    changed();
    const what = { ...NOTHING, ...applied };
    const kept = live.all.flatMap((endpoint) => keptDocument(endpoint) ?? []);
    // The result of a rollout in progress is reported when it ends.
    const reported = this.#kept.filter(
      ({ endpoint }) =>
        kept.some((now) => now.endpoint === endpoint) || live.get(endpoint)?.state !== 'updating',
    );
    const isNew = !isDeepStrictEqual(kept, reported);
    this.#kept = kept;
    if (!isNew && Object.values(what).every(({ length }) => length === 0)) return;
    const milliseconds = Math.round(performance.now() - startedAt);
    emit({ event: 'reload', ...what, kept, milliseconds });
  }

  async #read(places: readonly string[], overtaken: AbortSignal): Promise<{ applied: Promise<Applied> }> {
    const { project, live } = this.#options;
    const reading = await project.read(places, live.parts, overtaken);
    this.#routes = devRoutes(reading.endpoints);
    this.#table = new RouteTable(this.#routes);
    return { applied: live.apply(reading) };
  }

  #fail(error: unknown): void {
    if (!this.#options.signal.aborted) this.#options.failed(error);
  }
}

/** The entry for an endpoint that does not serve its newest code; null for one that does. */
function keptDocument({ name, stale, canServe, isRetried }: LiveEndpoint): KeptEndpoint | null {
  if (!stale) return null;
  const { code, message } = stale;
  return { endpoint: name, code, message, serves: canServe, retried: isRetried };
}
