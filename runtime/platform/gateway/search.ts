/**
 * A request's search for a worker. Workers whose nodes are away or full are skipped and tried again after
 * half a second.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import type { Worker } from '../workers/worker.ts';
import type { Balance, Client, Slot } from './balance.ts';

const AGAIN_MS = 500;

export class Search {
  readonly #balance: Balance;
  readonly endpointId: string;
  readonly #client: Client;
  readonly #passedOver = new Set<Worker>();
  /** When the first worker was skipped. */
  #since: number | null = null;

  constructor(balance: Balance, endpointId: string, client: Client) {
    this.#balance = balance;
    this.endpointId = endpointId;
    this.#client = client;
  }

  passOver(worker: Worker): void {
    this.#since ??= performance.now();
    this.#passedOver.add(worker);
  }

  /** Like `Balance.takeSlot`. Also null when only unreachable workers were found for two minutes. */
  async next(): Promise<Slot | null> {
    if (this.#since !== null && performance.now() - this.#since > GATEWAY_LIMITS.workerWait) return null;
    if (this.#passedOver.size > 0) {
      const slot = this.#balance.takeSlotElsewhere(this.endpointId, this.#passedOver);
      if (slot) return slot;
      await sleep(AGAIN_MS);
      this.#passedOver.clear();
    }
    return this.#balance.takeSlot(this.endpointId, this.#client);
  }
}
