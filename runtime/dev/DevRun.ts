/** One run of dev: its id on the platform, the receivers of its events, and the clean-up at its end. */
import { randomUUID } from 'node:crypto';
import type { DevEvent } from '../contract/devEvents.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { LiveRunTarget } from '../contract/liveRun.ts';
import type { ReportProgress } from '../contract/progress.ts';
import { Attachment } from './attach/Attachment.ts';
import { EventFeed } from './EventFeed.ts';

interface DevRunOptions {
  root: string;
  context: { app: string; environment: string };
  toolkitHome: string;
  emit: (event: DevEvent) => void;
  report: ReportProgress;
  /** Called when no client has been attached for a while; null if none is needed. */
  abandoned: (() => void) | null;
}

export class DevRun {
  /** The events for the open API explorers. */
  readonly feed = new EventFeed();
  place: LiveRunTarget;
  readonly #options: DevRunOptions;
  #attachment: Attachment | null = null;
  /** Clean-up steps, run at the end in reverse order. */
  readonly #opened: (() => Promise<unknown>)[] = [];
  readonly #ending = new AbortController();

  constructor(options: DevRunOptions) {
    this.#options = options;
    this.place = { id: randomUUID(), ...options.context };
  }

  /** Aborted when the run ends: ends requests to the platform. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** The host that an attached client has registered. */
  get externalHost(): string | null {
    return this.#attachment?.externalHost ?? null;
  }

  emit(event: DevEvent): void {
    this.#options.emit(event);
    this.feed.take(event);
    this.#attachment?.publish(event);
  }

  fail(error: unknown): void {
    const known = error instanceof ToolkitError ? error : new ToolkitError('INTERNAL', String(error));
    this.emit({ event: 'error', ...known.toBody() });
  }

  warn(message: string): void {
    this.#options.report({ type: 'warning', message });
  }

  /** Registers a clean-up step for the end of the run. */
  onStop(undo: () => Promise<unknown>): void {
    this.#opened.push(undo);
  }

  /**
   * Lets editors and the CLI attach. If that fails, dev runs anyway.
   *
   * @param parts - Folder that a later dev server removes if this one is killed.
   */
  async attach(parts: string): Promise<void> {
    const { root, toolkitHome, abandoned } = this.#options;
    try {
      const attachment = await Attachment.open({ toolkitHome, root, run: this.place.id, parts, abandoned });
      this.#attachment = attachment;
      this.onStop(() => attachment.close());
    } catch (error) {
      this.warn(`Editors and "toolkit logs" cannot find this dev server: ${String(error)}`);
    }
  }

  /** Publishes the address at which dev serves. */
  async announce(url: string): Promise<void> {
    await this.#attachment?.announce(url);
  }

  /** Aborts the work in progress. */
  end(): void {
    this.#ending.abort(new ToolkitError('INTERRUPTED', 'The dev server was stopped.'));
  }

  /** Ends the run and cleans up. */
  async stop(): Promise<void> {
    this.end();
    for (const undo of this.#opened.splice(0).toReversed()) {
      try {
        await undo();
      } catch (error) {
        this.fail(error);
      }
    }
  }
}
