/** Calls the webhooks of ended jobs, with up to three tries. Tries continue after a restart. */
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
/** Pause after an error of the store. */
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

  /** Looks for webhooks that are due. Called at the start and when a job with a webhook has ended. */
  wake(): void {
    this.#looking = this.#looking.then(() => this.#look());
  }

  /** Aborts webhooks that are being sent. They are sent after the next start. */
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
        // Log only the host: the rest of the URL may be a secret.
        log.warn(
          { job: id, host: new URL(row.webhook).host, tries, result },
          'a webhook was not acknowledged',
        );
      }
    } catch (error) {
      log.error({ err: error, job: id }, 'the result of a webhook was not stored');
      // The try was not stored, so it is repeated. The disk may be full, so wait first.
      await sleep(ASK_AGAIN_MS, undefined, { ref: false });
    } finally {
      this.#sending.delete(id);
      this.wake();
    }
  }

  async #post(row: WebhookRow, allows: AddressPolicy): Promise<string> {
    const webhook = JSON.stringify(row.webhook);
    try {
      const extra = [',"input":', row.input ?? 'null', `,"webhook":${webhook}}`];
      const body = whole(['{', ...jobMembers(row), ...extra]);
      const status = await postWebhook(row.webhook, body, allows, this.#stopped.signal);
      return status === 200 ? 'acknowledged' : `returned ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
