/**
 * Performs calls in a transaction and responds to them after its commit. Calls whose commit is not awaited leave
 * the transaction open and share the commit of the next calls. If a call fails, its batch is performed again
 * with a savepoint for each call, so that only that call fails. An error that aborts the transaction, such as
 * a full disk, fails every call in it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type Call, type Doors, openDoors, perform } from './doors.ts';
import { faultOf } from './storeFault.ts';
import type { CallResult, StoreMessage } from './storeMessages.ts';
import { QueueCounter } from './tables/queueCounter.ts';

/** The result is sent before the commit. If the commit fails, later calls that rely on the response are refused. */
const EARLY: ReadonlySet<string> = new Set(['jobs.claim']);
/** The commit of these calls is not awaited. */
const UNHURRIED: ReadonlySet<string> = new Set(['jobs.claim', 'jobs.enter']);

export class Committer {
  readonly #database: DatabaseSync;
  readonly #send: (message: StoreMessage) => void;
  readonly #counter: QueueCounter;
  readonly #doors: Doors;
  /** Results of the calls in the open transaction. */
  #results: CallResult[] = [];
  /** The number of the next call. */
  #next = 0;

  constructor(database: DatabaseSync, send: (message: StoreMessage) => void) {
    this.#database = database;
    this.#send = send;
    this.#counter = new QueueCounter(database);
    this.#doors = openDoors(database, this.#counter);
  }

  /** Whether a transaction is open. */
  get isOpen(): boolean {
    return this.#results.length > 0;
  }

  /** Performs calls. Commits unless no call needs it. */
  perform(calls: Call[]): void {
    const first = this.#next;
    this.#next += calls.length;
    try {
      const results = this.#performAll(calls);
      const values = takeEarly(calls, results, first);
      const staysOpen = calls.every((call) => UNHURRIED.has(nameOf(call)));
      const queues = staysOpen || values.length > 0 ? this.#counter.settle() : null;
      this.#results.push(...results);
      if (queues) this.#send({ type: 'early', values, queues });
      if (!staysOpen) this.commit();
    } catch (error) {
      this.#fail(error, calls.length);
    }
  }

  /** Commits the open transaction. */
  commit(): void {
    try {
      const queues = this.#counter.settle();
      this.#database.exec('COMMIT');
      this.#send({ type: 'results', results: this.#results, queues });
      this.#results = [];
    } catch (error) {
      this.#fail(error, 0);
    }
  }

  /** @throws The error that aborted the whole transaction. */
  #performAll(calls: Call[]): CallResult[] {
    const database = this.#database;
    // Savepoints slow down every call, and calls rarely fail.
    const [begin, undo, keep] = this.isOpen
      ? ['SAVEPOINT calls', 'ROLLBACK TO calls', 'RELEASE calls']
      : ['BEGIN IMMEDIATE', 'ROLLBACK; BEGIN IMMEDIATE', ''];
    database.exec(begin);
    let results: CallResult[];
    try {
      results = calls.map((call) => ({ value: perform(this.#doors, call) }));
    } catch (error) {
      if (!database.isTransaction) throw error;
      // No result of the first try was sent.
      database.exec(undo);
      this.#counter.recount();
      results = calls.map((call) => this.#performApart(call));
    }
    if (keep !== '') database.exec(keep);
    return results;
  }

  /** @throws The error that aborted the whole transaction. */
  #performApart(call: Call): CallResult {
    const database = this.#database;
    database.exec('SAVEPOINT call');
    try {
      const value = perform(this.#doors, call);
      this.#counter.write();
      database.exec('RELEASE call');
      return { value };
    } catch (error) {
      if (!database.isTransaction) throw error;
      database.exec('ROLLBACK TO call; RELEASE call');
      this.#counter.recount();
      return { fault: faultOf(error) };
    }
  }

  /** @param more - Number of further calls without a result. */
  #fail(error: unknown, more: number): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    const fault = faultOf(error);
    const results = Array.from({ length: this.#results.length + more }, () => ({ fault }));
    this.#results = [];
    this.#counter.recount();
    this.#send({ type: 'results', results, queues: this.#counter.settle() });
  }
}

function nameOf({ door, method }: Call): string {
  return `${door}.${method}`;
}

/** Removes the values of early calls from the results, so that they are not sent twice. */
function takeEarly(calls: Call[], results: CallResult[], first: number): [number, unknown][] {
  const values: [number, unknown][] = [];
  for (const [index, call] of calls.entries()) {
    const result = results[index]!;
    if (!('value' in result) || !EARLY.has(nameOf(call))) continue;
    values.push([first + index, result.value]);
    results[index] = { value: null };
  }
  return values;
}
