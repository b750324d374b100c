/**
 * The store's own thread. Calls that arrive together are committed together. This is the only module that
 * opens SQLite.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Committer } from './committer.ts';
import type { Call } from './doors.ts';
import { movedMemory } from './movedMemory.ts';
import { openSchema } from './schema.ts';
import { faultOf } from './storeFault.ts';
import type { StoreMessage, StoreRequest } from './storeMessages.ts';

const { DatabaseSync } = await import('node:sqlite');
type Database = InstanceType<typeof DatabaseSync>;

/**
 * How long a transaction stays open if its commit is not awaited. Most short functions end within this time.
 */
const LINGER_MS = 10;
/** Pages of the write-ahead log (16 MB) after which it is copied into the store. */
const CHECKPOINT_PAGES = 4_000;

serve();

function serve(): void {
  const port = parentPort;
  if (!port) return;
  const send = (message: StoreMessage) => port.postMessage(message, movedMemory(message));
  let database: Database;
  try {
    database = open(String(workerData));
  } catch (error) {
    send({ type: 'refused', fault: faultOf(error) });
    port.close();
    return;
  }
  const committer = new Committer(database, send);
  let lingering: NodeJS.Timeout | undefined;
  send({ type: 'open' });
  port.on('message', (first: StoreRequest) => {
    const { calls, closes } = allWaiting(port, first);
    if (calls.length > 0) committer.perform(calls);
    if (closes || !committer.isOpen) {
      clearTimeout(lingering);
      lingering = undefined;
    } else {
      lingering ??= setTimeout(() => {
        lingering = undefined;
        committer.commit();
      }, LINGER_MS);
    }
    if (!closes) return;
    if (committer.isOpen) committer.commit();
    database.close();
    port.close();
  });
}

/** Takes all calls that arrived during the last commit, for the next one. */
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

/**
 * Opens the store exclusively. The lock, which SQLite takes when it sets the journal mode, keeps out a second
 * platform of the same TOOLKIT_HOME. The system releases it however this process ends.
 */
function open(file: string): Database {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // The file contains values that endpoints read from the environment. SQLite gives its other files the same
  // mode.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec(
      `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
       PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`,
    );
    openSchema(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
