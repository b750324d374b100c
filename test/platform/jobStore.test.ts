import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueCounts } from '../../runtime/platform/jobs/jobStore.ts';
import { Store } from '../../runtime/platform/store/store.ts';
import { CONFORMANCE } from './jobStoreConformance.ts';

const THREAD = new URL('../../runtime/platform/main.ts', import.meta.url);

describe('the store of jobs in SQLite', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-jobs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;

  async function open(file: string) {
    const store = (await Store.open(file, THREAD))!;
    const queues = new Map<string, QueueCounts>();
    store.onQueues((changed) => {
      for (const counts of changed) queues.set(counts.endpoint, counts);
    });
    return { store, jobs: store.jobs, counts: (endpoint: string) => queues.get(endpoint) };
  }

  for (const [title, check] of Object.entries(CONFORMANCE)) {
    it(title, async (t) => {
      files += 1;
      const opened = await open(path.join(folder, `${files}.sqlite`));
      try {
        await check(opened, t);
      } finally {
        await opened.store.close();
      }
    });
  }

  it('lets one call of a batch fail alone, and counts on as if it had not been made', async () => {
    const file = path.join(folder, 'fault.sqlite');
    const { store, jobs, counts } = await open(file);
    const added = (id: string) =>
      jobs.submit([
        {
          id,
          endpoint: 'one',
          input: '{}',
          executionTimeout: null,
          ttl: 60_000,
          lowPriority: false,
          webhook: null,
          retention: 60_000,
          idempotency: null,
        },
      ]);
    // The second has the id of the first.
    const answers = await Promise.allSettled([added('a'), added('a'), added('b')]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(counts('one')?.waiting, 2);
    // What another call of the batch has ended stays counted.
    const [held] = await jobs.claim({
      endpoint: 'one',
      worker: 'w',
      count: 1,
      lease: 1_000,
      executionTimeout: 1_000,
    });
    const holder = { endpoint: 'one', worker: 'w', attempt: held!.attempt };
    const result = { id: held!.id, holder, state: 'COMPLETED' as const, output: '1', error: null };
    await Promise.allSettled([jobs.finish([{ ...result, fromChunks: false }]), added('b')]);
    assert.deepEqual([counts('one')?.completed, counts('one')?.held, counts('one')?.waiting], [1, {}, 1]);
    await store.close();
    const database = new DatabaseSync(file);
    assert.equal(database.prepare('SELECT count(*) AS jobs FROM jobs').get()!['jobs'], 2);
    database.close();
  });

  it('leaves a job to its worker that ran when an older toolkit wrote the store', async () => {
    const file = path.join(folder, 'older.sqlite');
    const tables = path.join(import.meta.dirname, '../fixtures/store/version-1.sql');
    const database = new DatabaseSync(file);
    database.exec(readFileSync(tables, 'utf8'));
    database.exec(`INSERT INTO jobs (id, endpoint, state, input, ttl, retention, created, started, worker, attempt)
      VALUES ('old', 'one', 'IN_PROGRESS', '{}', 60000, 60000, 1, ${Date.now()}, 'w', 1)`);
    database.close();
    const { store, jobs } = await open(file);
    await jobs.resume(50);
    await jobs.renew('one', 'w', ['old'], 60_000);
    await sleep(60);
    const { ended, requeued } = await jobs.expire();
    assert.deepEqual([ended, requeued], [[], []]);
    assert.equal((await jobs.find('one', 'old'))?.state, 'IN_PROGRESS');
    await store.close();
  });
});
