/**
 * The GPUs of this machine, as nvidia-smi reports them, and those of other nodes, as their agents report
 * them. Tracks which worker holds which GPU.
 */
import { LOCAL_NODE } from '../../contract/agentProtocol.ts';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import { GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import type { GpuMode } from '../../contract/platformOptions.ts';
import type { WorkerNode } from '../drivers/workerDriver.ts';
import type { DeployedEndpoint } from '../endpoints.ts';
import type { Card } from './findCards.ts';

/** Longer than the time after which a waiting endpoint asks again. */
const CLAIM_MS = 2_000;

/**
 * The cards that a worker gets (none: it runs on the CPU); `wait` if they are in use or away, `never` if no
 * node has them.
 */
export type Reservation = { cards: Card[] } | 'wait' | 'never';

/** An endpoint that needs a worker. */
type Waiting = Pick<DeployedEndpoint, 'id' | 'spec'>;

export class Gpus {
  readonly mode: GpuMode;
  readonly #own: Card[];
  readonly #others: () => WorkerNode[];
  /** Card → its workers: one, or during a rollout the serving worker and its replacement. */
  readonly #holders = new Map<string, Set<string>>();
  /** Card → the endpoint that waits for it, until a monotonic time. */
  readonly #claims = new Map<string, { endpoint: string; until: number }>();

  /**
   * @param own The cards of this machine.
   * @param others The nodes on other machines, including disconnected ones that may come back.
   */
  constructor(mode: GpuMode, own: Card[], others: () => WorkerNode[]) {
    this.mode = mode;
    this.#own = own;
    this.#others = mode === 'none' ? () => [] : others;
  }

  /** Whether the platform's machine is the only one. */
  get isAlone(): boolean {
    return this.#others().length === 0;
  }

  /** The number of cards of the node with the most cards. */
  get most(): number {
    return Math.max(this.#own.length, ...this.#others().map(({ capacity }) => capacity.gpus.length));
  }

  /** The cards of a node. */
  of(node: string): Card[] {
    if (node === LOCAL_NODE) return this.#own;
    const gpus = this.#others().find(({ id }) => id === node)?.capacity.gpus ?? [];
    return gpus.map((name, index) => ({ node, index, name }));
  }

  /** Names of the cards that an endpoint requests; null: any card. */
  static wanted(hardware: EndpointSpec['hardware']): string[] | null {
    if (!('gpu' in hardware)) return null;
    const types = hardware.gpuTypes.length > 0 ? hardware.gpuTypes : (GPU_GROUPS[hardware.gpu] ?? []);
    return types.length > 0 ? types.map((type) => GPU_TYPES[type] ?? type) : null;
  }

  /**
   * The cards that a worker would get if all were free and every node connected; none if no node has enough.
   * In mode `require` only requested cards count.
   */
  serving(spec: EndpointSpec): Card[] {
    return best(this.#offers(spec), spec) ?? [];
  }

  /**
   * Reserves whole cards for a worker. The worker waits while suitable cards are in use, claimed for another endpoint, or
   * their node is away.
   *
   * @param shareWith Workers whose cards can be shared, because this worker replaces them.
   */
  reserve(workerId: string, { id, spec }: Waiting, shareWith: ReadonlySet<string>): Reservation {
    if (!('gpu' in spec.hardware)) return { cards: [] };
    if (this.serving(spec).length === 0) return this.mode === 'require' ? 'never' : { cards: [] };
    const offers = this.#present(spec).map((offer) => offer.filter((card) => this.#isOpen(card, id)));
    const free = offers.map((offer) => offer.filter((card) => this.#holdersOf(card).size === 0));
    const shared = offers.map((offer, at) => [
      ...free[at]!,
      ...offer.filter((card) => !free[at]!.includes(card) && this.#isFreeWithout(card, shareWith)),
    ]);
    const cards = best(free, spec) ?? best(shared, spec);
    if (!cards) return 'wait';
    this.hold(workerId, cards);
    this.#unclaim(id);
    return { cards };
  }

  /**
   * Claims the cards that an endpoint's next worker can have soonest, so that no other endpoint takes them when they become
   * free. A claim ends a moment after the endpoint has stopped asking.
   *
   * @param able Ids of the workers that can end for it. Those that should end first are first.
   * @param shareWith Workers whose cards can be shared, because the next worker replaces them.
   * @returns The workers that must end; none if even the end of all would not be enough.
   */
  claim(waiting: Waiting, able: readonly string[], shareWith: ReadonlySet<string>): string[] {
    const { id, spec } = waiting;
    const asked = (offer: Card[]) => offer.filter((card) => isAsked(card, spec.hardware));
    const plans = this.#present(spec)
      .flatMap((offer) => [asked(offer), offer])
      .flatMap((offer) => this.#plan(offer, waiting, able, shareWith) ?? []);
    // A claim does not change while it can be met: its workers are already ending.
    const claimed = ({ cards }: { cards: Card[] }) =>
      cards.filter((card) => this.#claimOf(card) === id).length;
    const [plan] = plans.toSorted(
      (one, other) =>
        claimed(other) - claimed(one) ||
        asked(other.cards).length - asked(one.cards).length ||
        one.rank - other.rank,
    );
    if (!plan) return [];
    this.#unclaim(id);
    const until = performance.now() + CLAIM_MS;
    for (const card of plan.cards) this.#claims.set(keyOf(card), { endpoint: id, until });
    return plan.ended;
  }

  /** The fewest of the workers, from the first on, whose end makes enough cards of one node free; null if all do not. */
  #plan(offer: Card[], { id, spec }: Waiting, able: readonly string[], shareWith: ReadonlySet<string>) {
    const open = offer.filter((card) => this.#isOpen(card, id));
    const freeWithout = (ended: string[]) =>
      open.filter((card) => this.#isFreeWithout(card, new Set([...shareWith, ...ended])));
    const isEnough = (ended: string[]) => freeWithout(ended).length >= spec.gpuCount;
    const last = [-1, ...able.keys()].find((at) => isEnough(able.slice(0, at + 1)));
    if (last === undefined) return null;
    const all = able.slice(0, last + 1);
    // A worker whose cards those after it do not need is not in the way.
    const ended = all.reduce((left, worker) => {
      const others = left.filter((other) => other !== worker);
      return isEnough(others) ? others : left;
    }, all);
    return { cards: freeWithout(ended).slice(0, spec.gpuCount), ended, rank: last };
  }

  /** Assigns cards to a worker, such as those that it had under a former process of this platform. */
  hold(workerId: string, cards: Pick<Card, 'node' | 'index'>[]): void {
    for (const key of cards.map(keyOf)) {
      this.#holders.set(key, (this.#holders.get(key) ?? new Set()).add(workerId));
    }
  }

  release(workerId: string): void {
    for (const holders of this.#holders.values()) holders.delete(workerId);
  }

  #holdersOf(card: Card): ReadonlySet<string> {
    return this.#holders.get(keyOf(card)) ?? new Set();
  }

  #isFreeWithout(card: Card, workers: ReadonlySet<string>): boolean {
    return [...this.#holdersOf(card)].every((id) => workers.has(id));
  }

  /** The endpoint that waits for a card. */
  #claimOf(card: Card): string | undefined {
    const claim = this.#claims.get(keyOf(card));
    return claim && claim.until > performance.now() ? claim.endpoint : undefined;
  }

  #isOpen(card: Card, endpointId: string): boolean {
    return [undefined, endpointId].includes(this.#claimOf(card));
  }

  #unclaim(endpointId: string): void {
    for (const [key, { endpoint }] of this.#claims) if (endpoint === endpointId) this.#claims.delete(key);
  }

  /** The offers without nodes that are away. */
  #present(spec: EndpointSpec): Card[][] {
    const away = new Set(this.#others().flatMap(({ id, isConnected }) => (isConnected ? [] : id)));
    return this.#offers(spec).map((offer) => offer.filter(({ node }) => !away.has(node)));
  }

  /** The cards of each node for an endpoint, this machine first. Requested cards come first. */
  #offers({ hardware, python }: EndpointSpec): Card[][] {
    if (!('gpu' in hardware)) return [];
    const others = this.#others().filter(({ capacity }) => capacity.pythons[python] !== undefined);
    return [LOCAL_NODE, ...others.map(({ id }) => id)].map((node) => {
      const cards = this.of(node);
      const asked = cards.filter((card) => isAsked(card, hardware));
      return this.mode === 'require' ? asked : [...asked, ...cards.filter((card) => !asked.includes(card))];
    });
  }
}

/** The offer with the most requested cards among those with enough cards; the first one on a tie. */
function best(offers: Card[][], { gpuCount, hardware }: EndpointSpec): Card[] | undefined {
  const asked = (cards: Card[]) => cards.filter((card) => isAsked(card, hardware)).length;
  return offers
    .map((cards) => cards.slice(0, gpuCount))
    .filter((cards) => cards.length === gpuCount)
    .toSorted((a, b) => asked(b) - asked(a))[0];
}

function isAsked({ name }: Card, hardware: EndpointSpec['hardware']): boolean {
  return Gpus.wanted(hardware)?.includes(name) ?? true;
}

function keyOf({ node, index }: Pick<Card, 'node' | 'index'>): string {
  return `${node}/${index}`;
}
