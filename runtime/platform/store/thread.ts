/**
 * The store's own thread. Calls that wait when it looks are done in one transaction and answered after its commit; each
 * has a savepoint, so that it fails alone. The only module that opens SQLite.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type Call, type Doors, openDoors, perform } from './doors.ts';
import { NewerStore, openSchema } from './schema.ts';

const { DatabaseSync } = await import('node:sqlite');
type Database = InstanceType<typeof DatabaseSync>;

export interface StoreFault {
  kind: 'newer' | 'locked' | 'full' | 'failed';
  message: string;
}

export type CallResult = { value: unknown } | { fault: StoreFault };

export type StoreMessage =
  | { type: 'open' }
  | { type: 'refused'; fault: StoreFault }
  /** Of the calls in the order in which they came. */
  | { type: 'results'; results: CallResult[] };

/** Calls in their order; null closes the store. */
export type StoreRequest = Call[] | null;

serve();

function serve(): void {
  const port = parentPort;
  if (!port) return;
  const tell = (message: StoreMessage) => port.postMessage(message, []);
  let database: Database;
  try {
    database = open(String(workerData));
  } catch (error) {
    tell({ type: 'refused', fault: faultOf(error) });
    port.close();
    return;
  }
  const doors = openDoors(database);
  tell({ type: 'open' });
  port.on('message', (first: StoreRequest) => {
    const { calls, closes } = allWaiting(port, first);
    if (calls.length > 0) tell({ type: 'results', results: commit(database, doors, calls) });
    if (!closes) return;
    database.close();
    port.close();
  });
}

/** What came while the last commit was written goes into the next one. */
function allWaiting(port: MessagePort, first: StoreRequest): { calls: Call[]; closes: boolean } {
  const calls: Call[] = [];
  for (
    let request: StoreRequest | undefined = first;
    request !== undefined;
    request = receiveMessageOnPort(port)?.message as StoreRequest | undefined
  ) {
    if (request === null) return { calls, closes: true };
    calls.push(...request);
  }
  return { calls, closes: false };
}

/** An exclusive store: the lock that a second platform of the same home meets, freed by the system on any death. */
function open(file: string): Database {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // It holds values that endpoints read from the environment; SQLite gives its other files the mode of this one.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;',
    );
    database.exec('BEGIN IMMEDIATE; COMMIT');
    openSchema(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** A fault that undoes the transaction, such as a full disk, is that of every call in it. */
function commit(database: Database, doors: Doors, calls: Call[]): CallResult[] {
  try {
    database.exec('BEGIN IMMEDIATE');
    const results = calls.map((call) => attempt(database, doors, call));
    database.exec('COMMIT');
    return results;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    return calls.map(() => ({ fault: faultOf(error) }));
  }
}

/** @throws what undid the whole transaction. */
function attempt(database: Database, doors: Doors, call: Call): CallResult {
  database.exec('SAVEPOINT call');
  try {
    const value = perform(doors, call);
    database.exec('RELEASE call');
    return { value };
  } catch (error) {
    if (!database.isTransaction) throw error;
    database.exec('ROLLBACK TO call; RELEASE call');
    return { fault: faultOf(error) };
  }
}

/** SQLite's primary result codes: 5 BUSY, 6 LOCKED, 10 IOERR (ENOSPC while syncing), 13 FULL. */
function faultOf(error: unknown): StoreFault {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NewerStore) return { kind: 'newer', message };
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (code === 5 || code === 6) return { kind: 'locked', message };
  return { kind: code === 13 || code === 10 ? 'full' : 'failed', message };
}
