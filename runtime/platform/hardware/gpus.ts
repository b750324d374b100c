/**
 * The GPUs of this machine, as nvidia-smi reports them, and those of other nodes, as their agents report
 * them. Tracks which worker holds which GPU.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LOCAL_NODE } from '../../contract/agentProtocol.ts';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import { GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import type { GpuMode } from '../../contract/platformOptions.ts';
import type { WorkerNode } from '../drivers/workerDriver.ts';
import type { Log } from '../log.ts';

const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 10_000;

export interface Card {
  node: string;
  /** Index among the cards of its node. */
  index: number;
  /** As the driver reports it, such as `NVIDIA L4`. */
  name: string;
}

/**
 * Lists the cards of this machine with nvidia-smi; none if it is not installed. In mode `none` it is not run.
 */
export async function findCards(mode: GpuMode, log: Log): Promise<Card[]> {
  if (mode === 'none') return [];
  try {
    const query = ['--query-gpu=index,name', '--format=csv,noheader'];
    const { stdout } = await run('nvidia-smi', query, { timeout: PROBE_TIMEOUT_MS, killSignal: 'SIGKILL' });
    return stdout.split('\n').flatMap(parseCard);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) log.warn({ err: error }, 'nvidia-smi failed: no GPUs are offered');
    return [];
  }
}

function parseCard(line: string): Card[] {
  const comma = line.indexOf(',');
  const index = Number(line.slice(0, comma));
  const name = line.slice(comma + 1).trim();
  return comma > 0 && Number.isInteger(index) && name !== '' ? [{ node: LOCAL_NODE, index, name }] : [];
}

/**
 * The cards that a worker gets (none: it runs on the CPU); `wait` if they are in use or away, `never` if no
 * node has them.
 */
export type Reservation = { cards: Card[] } | 'wait' | 'never';

export class Gpus {
  readonly mode: GpuMode;
  readonly #own: Card[];
  readonly #others: () => WorkerNode[];
  /** Card → its workers: one, or during a rollout the serving worker and its replacement. */
  readonly #holders = new Map<string, Set<string>>();

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
   * Reserves whole cards for a worker. The worker waits while suitable cards are in use or their node is
   * away.
   *
   * @param shareWith Workers whose cards can be shared, because this worker replaces them.
   */
  reserve(workerId: string, spec: EndpointSpec, shareWith: ReadonlySet<string>): Reservation {
    if (!('gpu' in spec.hardware)) return { cards: [] };
    if (this.serving(spec).length === 0) return this.mode === 'require' ? 'never' : { cards: [] };
    const isFree = (card: Card) => this.#holdersOf(card).size === 0;
    const isShared = (card: Card) =>
      !isFree(card) && [...this.#holdersOf(card)].every((id) => shareWith.has(id));
    const offers = this.#present(spec);
    const cards =
      best(
        offers.map((offer) => offer.filter(isFree)),
        spec,
      ) ??
      best(
        offers.map((offer) => [...offer.filter(isFree), ...offer.filter(isShared)]),
        spec,
      );
    if (!cards) return 'wait';
    this.hold(workerId, cards);
    return { cards };
  }

  /**
   * The workers that hold the cards which a waiting worker would get if they ended; none if that would not be enough.
   *
   * @param able Ids of the workers that can end, those that should end first at the beginning.
   */
  inTheWay(spec: EndpointSpec, able: readonly string[]): string[] {
    const places = new Map(able.map((id, place) => [id, place]));
    const cost = (card: Card) =>
      Math.max(-1, ...[...this.#holdersOf(card)].map((id) => places.get(id) ?? Number.POSITIVE_INFINITY));
    const offers = this.#present(spec).map((offer) =>
      offer
        .filter((card) => cost(card) < Number.POSITIVE_INFINITY)
        .toSorted((one, other) => cost(one) - cost(other)),
    );
    return (best(offers, spec) ?? []).flatMap((card) => [...this.#holdersOf(card)]);
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
