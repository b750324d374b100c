/**
 * The store's own thread: takes batches of units of operations, runs each batch in one transaction and answers after
 * its commit. The only module that opens SQLite.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { jobOperations } from './jobOperations.ts';
import { NewerStore, openSchema } from './schema.ts';
import { stateOperations } from './stateOperations.ts';

const { DatabaseSync } = await import('node:sqlite');
type Database = InstanceType<typeof DatabaseSync>;

/** Everything that a unit may ask for, by name. */
export type Operations = ReturnType<typeof prepareOperations>;

/** One operation of a unit; a unit is done whole or not at all. */
export interface Operation {
  name: string;
  args: unknown[];
}

export interface StoreFault {
  kind: 'newer' | 'locked' | 'full' | 'failed';
  message: string;
}

export type UnitResult = { values: unknown[] } | { fault: StoreFault };

export type StoreMessage =
  | { type: 'open' }
  | { type: 'refused'; fault: StoreFault }
  | { type: 'results'; results: UnitResult[] };

function prepareOperations(database: Database) {
  return { ...stateOperations(database), ...jobOperations(database) };
}

serve();

function serve(): void {
  const port = parentPort;
  if (!port) return;
  const tell = (message: StoreMessage) => port.postMessage(message);
  let database: Database;
  try {
    database = open(String(workerData));
  } catch (error) {
    tell({ type: 'refused', fault: faultOf(error) });
    port.close();
    return;
  }
  const operations = prepareOperations(database);
  const run = (unit: Operation[]): unknown[] => unit.map((operation) => perform(operations, operation));
  tell({ type: 'open' });
  port.on('message', (message: Operation[][] | 'close') => {
    if (message === 'close') {
      database.close();
      port.close();
      return;
    }
    tell({ type: 'results', results: commitBatch(database, message, run) });
  });
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

/** All units in one transaction; when one fails, each in its own, so that it fails alone. */
function commitBatch(
  database: Database,
  units: Operation[][],
  run: (unit: Operation[]) => unknown[],
): UnitResult[] {
  try {
    return transaction(database, () => units.map((unit) => ({ values: run(unit) })));
  } catch (error) {
    if (units.length === 1) return [{ fault: faultOf(error) }];
    return units.flatMap((unit) => commitBatch(database, [unit], run));
  }
}

function transaction<Result>(database: Database, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function perform(operations: Operations, { name, args }: Operation): unknown {
  if (!Object.hasOwn(operations, name)) throw new Error(`The store knows no operation "${name}".`);
  const operation = operations[name as keyof Operations] as (...values: unknown[]) => unknown;
  return operation(...args);
}

/** SQLite's primary result codes: 5 BUSY, 6 LOCKED, 10 IOERR (ENOSPC while syncing), 13 FULL. */
function faultOf(error: unknown): StoreFault {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NewerStore) return { kind: 'newer', message };
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (code === 5 || code === 6) return { kind: 'locked', message };
  return { kind: code === 13 || code === 10 ? 'full' : 'failed', message };
}
