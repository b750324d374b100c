/** One run of dev: its name on the platform, who hears of its events, and what is undone at its end. */
import { randomUUID } from 'node:crypto';
import type { DevEvent } from '../contract/devEvents.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { LiveRunPlace } from '../contract/liveRun.ts';
import type { ReportProgress } from '../contract/progress.ts';
import { Attachment } from './attach/Attachment.ts';
import { EventFeed } from './EventFeed.ts';

interface DevRunOptions {
  root: string;
  context: { app: string; environment: string };
  toolkitHome: string;
  emit: (event: DevEvent) => void;
  report: ReportProgress;
  /** Called when clients were to be attached, and none is any more. */
  abandoned: (() => void) | null;
}

export class DevRun {
  /** Of the request pages that are open. */
  readonly feed = new EventFeed();
  place: LiveRunPlace;
  readonly #options: DevRunOptions;
  #attachment: Attachment | null = null;
  /** Undone at the end, the last one first. */
  readonly #opened: (() => Promise<unknown>)[] = [];
  readonly #ending = new AbortController();

  constructor(options: DevRunOptions) {
    this.#options = options;
    this.place = { id: randomUUID(), ...options.context };
  }

  /** Work for the platform ends when the run does. */
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

  /** Notes how to undo something at the end. */
  onStop(undo: () => Promise<unknown>): void {
    this.#opened.push(undo);
  }

  /**
   * Lets editors and CLI attach. Without that dev runs as well.
   *
   * @param parts - Folder that a later dev removes if this one is killed.
   */
  async attach(parts: string): Promise<void> {
    const { root, toolkitHome, abandoned } = this.#options;
    try {
      const attachment = await Attachment.open({ toolkitHome, root, run: this.place.id, parts, abandoned });
      this.#attachment = attachment;
      this.onStop(() => attachment.close());
    } catch (error) {
      this.warn(`Editors and \`toolkit logs\` do not find this dev: ${String(error)}`);
    }
  }

  /** Dev answers at an address. */
  async announce(url: string): Promise<void> {
    await this.#attachment?.announce(url);
  }

  /** Ends the work that is under way. */
  end(): void {
    this.#ending.abort(new ToolkitError('INTERRUPTED', 'Dev was stopped.'));
  }

  /** Ends the run, and undoes everything. */
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
