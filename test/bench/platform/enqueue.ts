/**
 * Durable enqueue per second, with one job per request and with 1,000, over SQLite's own batches of equal
 * rows. A transaction has as many rows as there are concurrent requests, or jobs in a request, so that both
 * sides wait for the disk equally often.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrograms } from '../../setup/programs.ts';
import { alternate, median } from '../measure.ts';
import { type Bench, withBench } from './bench.ts';
import { type Deployed, deploy } from './deployed.ts';
import { requestsPerSecond, WRK } from './wrk.ts';

const ROUNDS = 5;
const CONNECTIONS = 16;
const BATCH = 1_000;
const BATCHES = 20;
/** Batches on their way at once. */
const BATCH_CONNECTIONS = 4;
const JOB = {
  input: { text: 'a text of the length that a short prompt may have, or the address of an image', number: 7 },
};
const DAY_MS = 86_400_000;

ensurePrograms(WRK);
await withBench(async (bench) => {
  // Paused: no worker takes part.
  const platform = await deploy(bench, {
    'worker.py': `from toolkit_sdk import Endpoint


@Endpoint(name="queue", cpu="cpu3c-1-2", workers=(0, 0))
def queue(text: str, number: int) -> None:
    """Never runs."""
`,
  });
  const raw = openRaw(bench, platform.url('queue').split('/').at(-1)!);
  const rates = await alternate(
    {
      singles: async () => {
        await empty(platform);
        return requestsPerSecond(bench, {
          url: `${platform.url('queue')}/run`,
          connections: CONNECTIONS,
          headers: platform.headers,
          body: JSON.stringify(JOB),
        });
      },
      batches: async () => {
        await empty(platform);
        return perSecond(() => enqueueBatches(platform));
      },
      rawSingles: async () => {
        raw.empty();
        return perSecond(async () => raw.insertBatches(CONNECTIONS));
      },
      rawBatches: async () => {
        raw.empty();
        return perSecond(async () => raw.insertBatches(BATCH));
      },
    },
    ROUNDS,
  );
  raw.close();
  for (const [name, ours, base, rows, goal] of [
    ['one job a request', rates.singles, rates.rawSingles, CONNECTIONS, 'goal ≥ 0.3'],
    ['one job a request', rates.singles, rates.rawBatches, BATCH, 'no goal'],
    [`${BATCH} jobs a request`, rates.batches, rates.rawBatches, BATCH, 'goal ≥ 0.6'],
  ] as const) {
    const [own, raw] = [median(ours), median(base)];
    process.stdout.write(
      `${name}: ${own.toFixed(0)} jobs/s; SQLite, ${rows} rows a transaction: ${raw.toFixed(0)} (medians of ${ours.length})\n`,
    );
    process.stdout.write(
      `durable enqueue, ${name} / raw SQLite, ${rows} rows a transaction: ${(own / raw).toFixed(3)} (${goal})\n`,
    );
  }
});

/** The queue has a limit, and every round must start with the same length. */
async function empty(platform: Deployed): Promise<void> {
  await platform.send('POST', `${platform.url('queue')}/purge-queue`);
}

async function perSecond(enqueue: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await enqueue();
  return (BATCHES * BATCH * 1_000) / (performance.now() - startedAt);
}

async function enqueueBatches(platform: Deployed): Promise<void> {
  const jobs = Array.from({ length: BATCH }, () => JOB);
  const send = async () => {
    for (let batch = 0; batch < BATCHES / BATCH_CONNECTIONS; batch += 1)
      await platform.runBatch('queue', jobs);
  };
  await Promise.all(Array.from({ length: BATCH_CONNECTIONS }, send));
}

/**
 * The rows of a queue without anything around it, on the same disk: a job's id, which is its key, and
 * everything that the platform stores for a waiting job. No request, no JSON, and ids that exist before the
 * round.
 */
function openRaw({ folder }: Bench, endpoint: string) {
  const database = new DatabaseSync(path.join(folder, 'raw.sqlite'));
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE jobs (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, endpoint TEXT NOT NULL, state TEXT NOT NULL,
      rank INTEGER NOT NULL, low_priority INTEGER NOT NULL, bytes INTEGER NOT NULL, ttl INTEGER NOT NULL,
      retention INTEGER NOT NULL, created INTEGER NOT NULL, queued INTEGER NOT NULL, due INTEGER NOT NULL,
      input TEXT NOT NULL
    ) STRICT;
  `);
  const insert = database.prepare(
    `INSERT INTO jobs (id, endpoint, state, rank, low_priority, bytes, ttl, retention, created, queued, due, input)
     VALUES (?, ?, 'IN_QUEUE', 1, 0, ?, ${DAY_MS}, ${DAY_MS / 48}, ?, ?, ?, ?)`,
  );
  const input = JSON.stringify(JOB.input);
  let ids: string[] = [];
  return {
    empty: () => {
      database.exec('DELETE FROM jobs');
      ids = Array.from({ length: BATCHES * BATCH }, () => `${randomUUID()}-u1`);
    },
    /** @param rows - Per transaction. */
    insertBatches: (rows: number) => {
      for (let start = 0; start < ids.length; start += rows) {
        const now = Date.now();
        database.exec('BEGIN IMMEDIATE');
        for (const id of ids.slice(start, start + rows)) {
          insert.run(id, endpoint, input.length, now, now, now + DAY_MS, input);
        }
        database.exec('COMMIT');
      }
    },
    close: () => database.close(),
  };
}
