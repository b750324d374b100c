/**
 * Does calls in one transaction and answers them after its commit. When one of them fails, all are done anew, each with a
 * savepoint, so that it fails alone; a fault that undoes the transaction, such as a full disk, is that of every call in it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type Call, type Doors, openDoors, perform } from './doors.ts';
import { faultOf } from './storeFault.ts';
import type { CallResult, StoreMessage } from './storeMessages.ts';
import { QueueCounter } from './tables/queueCounter.ts';

/** Should their commit fail, what they promise is refused later. */
const EARLY: ReadonlySet<string> = new Set(['jobs.claim']);

export class Committer {
  readonly #database: DatabaseSync;
  readonly #tell: (message: StoreMessage) => void;
  readonly #counter: QueueCounter;
  readonly #doors: Doors;
  /** The number of the next call. */
  #next = 0;

  constructor(database: DatabaseSync, tell: (message: StoreMessage) => void) {
    this.#database = database;
    this.#tell = tell;
    this.#counter = new QueueCounter(database);
    this.#doors = openDoors(database, this.#counter);
  }

  commit(calls: Call[]): void {
    const database = this.#database;
    const first = this.#next;
    this.#next += calls.length;
    try {
      database.exec('BEGIN IMMEDIATE');
      const results = this.#performAll(calls);
      const queues = this.#counter.settle();
      this.#tellEarly(calls, results, first);
      database.exec('COMMIT');
      this.#tell({ type: 'results', results, queues });
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      const results = calls.map(() => ({ fault: faultOf(error) }));
      this.#counter.recount();
      this.#tell({ type: 'results', results, queues: this.#counter.settle() });
    }
  }

  /** @throws what undid the whole transaction. */
  #performAll(calls: Call[]): CallResult[] {
    const database = this.#database;
    try {
      return calls.map((call) => ({ value: perform(this.#doors, call) }));
    } catch (error) {
      if (!database.isTransaction) throw error;
      // Savepoints cost every call time, and hardly any call fails: nothing of the first try is left or told.
      database.exec('ROLLBACK; BEGIN IMMEDIATE');
      this.#counter.recount();
      return calls.map((call) => this.#performApart(call));
    }
  }

  /** @throws what undid the whole transaction. */
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

  #tellEarly(calls: Call[], results: CallResult[], first: number): void {
    const values: [number, unknown][] = [];
    for (const [index, { door, method }] of calls.entries()) {
      const result = results[index]!;
      if (!('value' in result) || !EARLY.has(`${door}.${method}`)) continue;
      values.push([first + index, result.value]);
      // It is not told twice.
      results[index] = { value: null };
    }
    if (values.length > 0) this.#tell({ type: 'early', values });
  }
}
