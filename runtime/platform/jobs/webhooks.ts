/** Calls the webhooks of ended jobs: up to three tries, which continue after a restart. */
import { setTimeout as sleep } from 'node:timers/promises';
import { wallClock } from '../clock.ts';
import type { PlatformEvents } from '../events.ts';
import { whole } from '../json/jsonText.ts';
import type { Log } from '../log.ts';
import type { WebhookRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { jobMembers } from './bodies.ts';
import { postWebhook } from './postWebhook.ts';
import type { AddressPolicy } from './webhookTarget.ts';

const TRIES = 3;
const BETWEEN_TRIES_MS = 10_000;
const AT_ONCE = 16;
/** When the store cannot be asked. */
const ASK_AGAIN_MS = 5_000;

export interface WebhooksContext {
  store: Store;
  events: PlatformEvents;
  log: Log;
  allows: AddressPolicy;
}

export class Webhooks {
  readonly #context: WebhooksContext;
  readonly #sending = new Set<string>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(context: WebhooksContext) {
    this.#context = context;
    context.events.on('webhookDue', () => this.wake());
  }

  /** Looks for what is due: at the start, and when a job with a webhook has ended. */
  wake(): void {
    this.#looking = this.#looking.then(() => this.#look());
  }

  /** Breaks off what is under way; it is told after the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const { store, log } = this.#context;
    try {
      const rows = await store.webhooks.next(AT_ONCE * 2);
      const now = wallClock();
      const waiting = rows.filter((row) => !this.#sending.has(row.id));
      for (const row of waiting) {
        if (row.webhook_due <= now && this.#sending.size < AT_ONCE) void this.#send(row.id);
      }
      const next = waiting.find((row) => row.webhook_due > now);
      this.#lookAt(next ? next.webhook_due - now : null);
    } catch (error) {
      log.error({ err: error }, 'webhooks were not read');
      this.#lookAt(ASK_AGAIN_MS);
    }
  }

  #lookAt(wait: number | null): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = wait === null ? null : setTimeout(() => this.wake(), wait);
  }

  async #send(id: string): Promise<void> {
    const { store, log, allows } = this.#context;
    this.#sending.add(id);
    try {
      const row = await store.webhooks.read(id);
      if (row === null) return;
      const result = await this.#post(row, allows);
      if (this.#stopped.signal.aborted) return;
      const tries = row.webhook_tries + 1;
      const isLast = result === 'acknowledged' || tries >= TRIES;
      await store.webhooks.tried(id, row.finished, tries, isLast ? null : wallClock() + BETWEEN_TRIES_MS);
      if (result !== 'acknowledged') {
        // The host alone: what follows it may be a secret.
        log.warn(
          { job: id, host: new URL(row.webhook).host, tries, result },
          'a webhook was not acknowledged',
        );
      }
    } catch (error) {
      log.error({ err: error, job: id }, 'a webhook was not noted');
      // The try was not recorded, so it is made again; after a pause, as the disk may be full.
      await sleep(ASK_AGAIN_MS, undefined, { ref: false });
    } finally {
      this.#sending.delete(id);
      this.wake();
    }
  }

  async #post(row: WebhookRow, allows: AddressPolicy): Promise<string> {
    const webhook = JSON.stringify(row.webhook);
    try {
      const told = [',"input":', row.input ?? 'null', `,"webhook":${webhook}}`];
      const body = whole(['{', ...jobMembers(row), ...told]);
      const status = await postWebhook(row.webhook, body, allows, this.#stopped.signal);
      return status === 200 ? 'acknowledged' : `answered ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
