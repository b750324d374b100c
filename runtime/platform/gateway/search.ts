/** A request's search for a worker: those whose nodes are away or full are passed over, and asked again after a moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import type { Worker } from '../workers/worker.ts';
import type { Balance, Client, Place } from './balance.ts';

const AGAIN_MS = 500;

export class Search {
  readonly #balance: Balance;
  readonly #endpointId: string;
  readonly #client: Client;
  readonly #passedOver = new Set<Worker>();
  /** When the first one was passed over. */
  #since: number | null = null;

  constructor(balance: Balance, endpointId: string, client: Client) {
    this.#balance = balance;
    this.#endpointId = endpointId;
    this.#client = client;
  }

  passOver(worker: Worker): void {
    this.#since ??= performance.now();
    this.#passedOver.add(worker);
  }

  /** As `Balance.place`; null also when for two minutes only workers were found that cannot be reached. */
  async next(): Promise<Place | null> {
    if (this.#since !== null && performance.now() - this.#since > GATEWAY_LIMITS.workerWait) return null;
    if (this.#passedOver.size > 0) {
      const place = this.#balance.placeElsewhere(this.#endpointId, this.#passedOver);
      if (place) return place;
      await sleep(AGAIN_MS);
      this.#passedOver.clear();
    }
    return this.#balance.place(this.#endpointId, this.#client);
  }
}
