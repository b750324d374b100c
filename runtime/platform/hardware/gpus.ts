/** The cards of this machine, as nvidia-smi tells them, and which worker holds which. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import { GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import type { GpuMode } from '../../contract/platformOptions.ts';
import type { Log } from '../log.ts';

const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 10_000;

export interface Card {
  index: number;
  /** As the driver reports it, such as `NVIDIA L4`. */
  name: string;
}

/** Asks nvidia-smi for the cards; none when it is not there. Under mode `none` it is not asked. */
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
  return comma > 0 && Number.isInteger(index) && name !== '' ? [{ index, name }] : [];
}

/** What a worker of an endpoint is given: cards, the CPU instead, or nothing yet. */
export type Reservation = { cards: Card[] } | 'wait' | 'never';

export class Gpus {
  readonly mode: GpuMode;
  readonly cards: Card[];
  /** Card → its workers: one, or during a roll-out the one that serves and its replacement. */
  readonly #holders = new Map<number, Set<string>>();

  constructor(mode: GpuMode, cards: Card[]) {
    this.mode = mode;
    this.cards = cards;
  }

  /** Names of cards that an endpoint asks for; null: any card will do. */
  static wanted(hardware: EndpointSpec['hardware']): string[] | null {
    if (!('gpu' in hardware)) return null;
    const types = hardware.gpuTypes.length > 0 ? hardware.gpuTypes : (GPU_GROUPS[hardware.gpu] ?? []);
    return types.length > 0 ? types.map((type) => GPU_TYPES[type] ?? type) : null;
  }

  /** The cards that may serve an endpoint at all, those it asked for first. Under `require` only those. */
  serving(hardware: EndpointSpec['hardware']): Card[] {
    if (!('gpu' in hardware)) return [];
    const wanted = Gpus.wanted(hardware);
    const matches = (card: Card) => wanted === null || wanted.includes(card.name);
    const matching = this.cards.filter(matches);
    return this.mode === 'require' ? matching : [...matching, ...this.cards.filter((card) => !matches(card))];
  }

  /**
   * Reserves whole cards for a worker.
   *
   * @param shareWith Workers whose cards may be used along: those that this one replaces.
   */
  reserve(workerId: string, spec: EndpointSpec, shareWith: ReadonlySet<string>): Reservation {
    if (!('gpu' in spec.hardware)) return { cards: [] };
    const serving = this.serving(spec.hardware);
    if (serving.length < spec.gpuCount) return this.mode === 'require' ? 'never' : { cards: [] };
    const holders = (card: Card) => this.#holders.get(card.index) ?? new Set<string>();
    const free = serving.filter((card) => holders(card).size === 0);
    const shared = serving.filter(
      (card) => holders(card).size > 0 && [...holders(card)].every((id) => shareWith.has(id)),
    );
    const cards = [...free, ...shared].slice(0, spec.gpuCount);
    if (cards.length < spec.gpuCount) return 'wait';
    this.hold(
      workerId,
      cards.map((card) => card.index),
    );
    return { cards };
  }

  /** Gives a worker its cards, such as those that it had under a former process of this platform. */
  hold(workerId: string, indexes: number[]): void {
    for (const index of indexes) {
      this.#holders.set(index, (this.#holders.get(index) ?? new Set()).add(workerId));
    }
  }

  release(workerId: string): void {
    for (const holders of this.#holders.values()) holders.delete(workerId);
  }
}
