/** Logs of workers on another machine, requested from its agent. Empty while the agent is not connected. */
import type { AgentOrder, LogAnswer, LogQuestion } from '../../contract/agentProtocol.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { LogBytes, NodeLogs, WorkerLog } from './workerLogs.ts';

/** An agent that takes longer is about to be given up. */
const ANSWER_MS = 10_000;

export class RemoteLogs implements NodeLogs {
  readonly #send: (order: AgentOrder) => boolean;
  readonly #asked = new Map<number, (answer: LogAnswer) => void>();
  #questions = 0;

  /** @param send Sends the agent an order; false while it is not connected. */
  constructor(send: (order: AgentOrder) => boolean) {
    this.#send = send;
  }

  answered(answer: LogAnswer): void {
    this.#asked.get(answer.question)?.(answer);
  }

  async of(endpoint: string): Promise<WorkerLog[]> {
    const answer = await this.#ask({ type: 'list-logs', endpoint });
    if (answer?.type !== 'logs') return [];
    return answer.logs.map(({ worker, written }) => ({
      worker,
      written,
      read: (from) => this.#read(endpoint, worker, from),
      remove: async () => this.#remove(endpoint, [worker]),
    }));
  }

  note(endpoint: string, worker: string, line: string): void {
    this.#send({ type: 'note', endpoint, worker, line });
  }

  async forget(endpoint: string): Promise<void> {
    this.#remove(endpoint, null);
  }

  #remove(endpoint: string, workers: string[] | null): void {
    this.#send({ type: 'remove-logs', endpoint, workers });
  }

  /**
   * Each response contains a part of the log; an empty part means the end. Bytes beyond the size limit of a log
   * are read by the next call.
   */
  async #read(endpoint: string, worker: string, from: number): Promise<LogBytes> {
    let read: LogBytes = { start: from, bytes: Buffer.alloc(0), since: new Date(0).toISOString() };
    while (read.bytes.length <= WORKER_LIMITS.logBytes) {
      const at = read.start + read.bytes.length;
      const part = await this.#ask({ type: 'read-log', endpoint, worker, from: at });
      const bytes = Buffer.from(part?.type === 'log' ? part.bytes : '', 'base64');
      // The offset never decreases. A response with a lower offset would otherwise repeat the loop forever.
      if (part?.type !== 'log' || bytes.length === 0 || part.start < at) return read;
      const continues = part.start === at && read.bytes.length > 0;
      // Otherwise this is the first part, or the part before it was removed in the meantime.
      read = continues
        ? { ...read, bytes: Buffer.concat([read.bytes, bytes]) }
        : { start: part.start, bytes, since: part.since };
    }
    return read;
  }

  async #ask(question: LogQuestion): Promise<LogAnswer | null> {
    const number = (this.#questions += 1);
    const { promise, resolve } = Promise.withResolvers<LogAnswer | null>();
    this.#asked.set(number, resolve);
    const timer = setTimeout(() => resolve(null), ANSWER_MS);
    if (!this.#send({ ...question, question: number })) resolve(null);
    const answer = await promise;
    clearTimeout(timer);
    this.#asked.delete(number);
    return answer;
  }
}
