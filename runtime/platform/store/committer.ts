/**
 * Does calls in one transaction and answers them after its commit. Each has a savepoint, so that it fails alone; a fault
 * that undoes the transaction, such as a full disk, is that of every call in it.
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
      const results = calls.map((call) => this.#attempt(call));
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
  #attempt(call: Call): CallResult {
    const database = this.#database;
    database.exec('SAVEPOINT call');
    this.#counter.beginCall();
    try {
      const value = perform(this.#doors, call);
      database.exec('RELEASE call');
      return { value };
    } catch (error) {
      if (!database.isTransaction) throw error;
      database.exec('ROLLBACK TO call; RELEASE call');
      this.#counter.undoCall();
      return { fault: faultOf(error) };
    }
  }

  #tellEarly(calls: Call[], results: CallResult[], first: number): void {
    const values = results.flatMap((result, index): [number, unknown][] => {
      const { door, method } = calls[index]!;
      return 'value' in result && EARLY.has(`${door}.${method}`) ? [[first + index, result.value]] : [];
    });
    if (values.length > 0) this.#tell({ type: 'early', values });
  }
}
