/** The cards of this machine, as nvidia-smi tells them, and of the other nodes, as they tell them; which worker holds which. */
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
  /** Among the cards of its node. */
  index: number;
  /** As the driver reports it, such as `NVIDIA L4`. */
  name: string;
}

/** Asks nvidia-smi for the cards of this machine; none when it is not there. Under mode `none` it is not asked. */
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

/** What a worker of an endpoint is given: cards of one node, the CPU instead, or nothing yet. */
export type Reservation = { cards: Card[] } | 'wait' | 'never';

export class Gpus {
  readonly mode: GpuMode;
  readonly #own: Card[];
  readonly #others: () => WorkerNode[];
  /** Card → its workers: one, or during a roll-out the one that serves and its replacement. */
  readonly #holders = new Map<string, Set<string>>();

  /**
   * @param own The cards of this machine.
   * @param others The nodes of other machines, with those that are away and may be heard of again.
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

  /** How many cards the node with the most has. */
  get most(): number {
    return Math.max(this.#own.length, ...this.#others().map(({ capacity }) => capacity.gpus.length));
  }

  /** The cards of a node. */
  of(node: string): Card[] {
    if (node === LOCAL_NODE) return this.#own;
    const gpus = this.#others().find(({ id }) => id === node)?.capacity.gpus ?? [];
    return gpus.map((name, index) => ({ node, index, name }));
  }

  /** Names of cards that an endpoint asks for; null: any card will do. */
  static wanted(hardware: EndpointSpec['hardware']): string[] | null {
    if (!('gpu' in hardware)) return null;
    const types = hardware.gpuTypes.length > 0 ? hardware.gpuTypes : (GPU_GROUPS[hardware.gpu] ?? []);
    return types.length > 0 ? types.map((type) => GPU_TYPES[type] ?? type) : null;
  }

  /** The cards that a worker gets when all are free and no node is away; none when no node has enough. Under `require` only cards that were asked for. */
  serving(spec: EndpointSpec): Card[] {
    return best(this.#offers(spec), spec) ?? [];
  }

  /**
   * Reserves whole cards for a worker, which waits while those that would serve are taken or their node is away.
   *
   * @param shareWith Workers whose cards may be used along: those that this one replaces.
   */
  reserve(workerId: string, spec: EndpointSpec, shareWith: ReadonlySet<string>): Reservation {
    if (!('gpu' in spec.hardware)) return { cards: [] };
    if (this.serving(spec).length === 0) return this.mode === 'require' ? 'never' : { cards: [] };
    const holders = (card: Card) => this.#holders.get(keyOf(card)) ?? new Set<string>();
    const isFree = (card: Card) => holders(card).size === 0;
    const isShared = (card: Card) => !isFree(card) && [...holders(card)].every((id) => shareWith.has(id));
    const away = new Set(this.#others().flatMap(({ id, isConnected }) => (isConnected ? [] : id)));
    const offers = this.#offers(spec).map((offer) => offer.filter(({ node }) => !away.has(node)));
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

  /** Gives a worker its cards, such as those that it had under a former process of this platform. */
  hold(workerId: string, cards: Pick<Card, 'node' | 'index'>[]): void {
    for (const key of cards.map(keyOf)) {
      this.#holders.set(key, (this.#holders.get(key) ?? new Set()).add(workerId));
    }
  }

  release(workerId: string): void {
    for (const holders of this.#holders.values()) holders.delete(workerId);
  }

  /** What each node has for an endpoint, this machine first; cards that were asked for come first. */
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

/** Of the offers with enough cards, the one with the most that were asked for; the first one on a tie. */
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
