import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_LIMITS } from '../../runtime/contract/limits.ts';
import { wallClock } from '../../runtime/platform/clock.ts';
import type { QueueCounts } from '../../runtime/platform/jobs/jobStore.ts';
import { Store } from '../../runtime/platform/store/store.ts';
import { CONFORMANCE, job } from './jobStoreConformance.ts';

const added = (id: string) => job({ id, input: '{}' });

/** The endpoint of the jobs, so that their ends are counted. */
const ENDPOINT = {
  id: 'one',
  app: 'app',
  environment: 'default',
  name: 'one',
  port: null,
  build: 1,
  generation: 1,
  run: '',
  spec: '{}',
  secrets: '{}',
  parts: '{}',
};

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

  it('lets a single call of a batch fail', async () => {
    const file = path.join(folder, 'fault.sqlite');
    const { store, jobs, counts } = await open(file);
    const submitted = (id: string) => jobs.submit([added(id)]);
    // The second has the id of the first.
    const answers = await Promise.allSettled([submitted('a'), submitted('a'), submitted('b')]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(counts('one')?.waiting, 2);
    await store.close();
    const database = new DatabaseSync(file);
    assert.equal(database.prepare('SELECT count(*) AS jobs FROM jobs').get()!['jobs'], 2);
    database.close();
  });

  it('does the other calls of a batch exactly once when one of them fails', async () => {
    const file = path.join(folder, 'once.sqlite');
    const { store, jobs, counts } = await open(file);
    await store.deployed.putEndpoint(ENDPOINT);
    const claim = { endpoint: 'one', worker: 'w', count: 1, lease: 1_000, executionTimeout: 1_000 };
    await jobs.submit([added('a'), added('b'), added('c')]);
    const [held] = await jobs.claim(claim);
    const holder = { endpoint: 'one', worker: 'w', attempt: held!.attempt };
    const result = {
      id: 'a',
      holder,
      state: 'COMPLETED' as const,
      output: '1',
      error: null,
      fromChunks: false,
    };
    // The call that fails has the id of an existing job.
    const [ended, submitted, claimed, failed, lost] = await Promise.allSettled([
      jobs.finish([result]),
      jobs.submit([added('d')]),
      jobs.claim(claim),
      jobs.submit([added('c')]),
      jobs.requeue({ endpoint: 'one', worker: 'w', id: null, attempt: null, counted: true, error: null }),
    ]);
    assert.equal(failed.status, 'rejected');
    assert.ok(ended.status === 'fulfilled' && typeof ended.value[0] === 'object');
    assert.deepEqual(submitted, { status: 'fulfilled', value: [{ as: 'new' }] });
    const taken = { id: 'b', attempt: 1, input: '{}', executionTimeout: null };
    assert.deepEqual(claimed, { status: 'fulfilled', value: [taken] });
    assert.ok(lost.status === 'fulfilled');
    assert.deepEqual(lost.value.requeued, [{ id: 'b', endpoint: 'one', retries: 1 }]);
    const { completed, retried, waiting, held: inHands } = counts('one')!;
    assert.deepEqual(
      { completed, retried, waiting, inHands },
      { completed: 1, retried: 1, waiting: 3, inHands: {} },
    );
    await store.close();
    const again = await open(file);
    const [kept] = await again.jobs.resume(1_000);
    assert.deepEqual([kept?.completed, kept?.retried, kept?.waiting], [1, 1, 3]);
    await again.store.close();
  });

  it('keeps uncommitted work when a call of the next batch fails, and when it closes', async () => {
    const file = path.join(folder, 'open.sqlite');
    const first = await open(file);
    const claim = { endpoint: 'one', worker: 'w', count: 1, lease: 60_000, executionTimeout: 60_000 };
    await first.jobs.submit([added('a'), added('b')]);
    const [taken] = await first.jobs.claim(claim);
    const answers = await Promise.allSettled([
      first.jobs.submit([added('c')]),
      first.jobs.submit([added('b')]),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.deepEqual([first.counts('one')?.waiting, first.counts('one')?.held], [2, { w: 1 }]);
    const [other] = await first.jobs.claim(claim);
    await first.store.close();
    assert.deepEqual([taken!.id, other!.id], ['a', 'b']);
    const { store, jobs } = await open(file);
    const [kept] = await jobs.resume(60_000);
    assert.deepEqual([kept?.waiting, kept?.held], [1, { w: 2 }]);
    await store.close();
  });

  it('accepts a batch as new once its keys are a day old, even if one of its jobs was queued again', async () => {
    const file = path.join(folder, 'keys.sqlite');
    const batch = (name: string) =>
      [0, 1, 2].map((index) => ({
        ...added(`${name}${index}`),
        idempotency: { key: `k${index}`, hash: 'h' },
      }));
    const first = await open(file);
    await first.jobs.submit(batch('a'));
    await first.store.close();
    const database = new DatabaseSync(file);
    database.exec(`UPDATE jobs SET created = created - ${JOB_LIMITS.idempotencyRetention} WHERE id <> 'a1'`);
    database.close();
    const { store, jobs } = await open(file);
    const isNew = { as: 'new' as const };
    assert.deepEqual(await jobs.submit(batch('b')), [isNew, isNew, isNew]);
    const known = (id: string) => ({ as: 'known' as const, id, state: 'IN_QUEUE' as const });
    assert.deepEqual(await jobs.submit(batch('c')), [known('b0'), known('b1'), known('b2')]);
    assert.equal((await jobs.find('one', 'a1'))?.state, 'IN_QUEUE');
    await store.close();
  });

  it('does not take a running job from its worker when an older toolkit wrote the store', async () => {
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
    const { ended, requeued } = await jobs.expire(wallClock());
    assert.deepEqual([ended, requeued], [[], []]);
    assert.equal((await jobs.find('one', 'old'))?.state, 'IN_PROGRESS');
    await store.close();
  });

  it('opens the store of the previous version, with its jobs', async () => {
    const file = path.join(folder, 'before.sqlite');
    const before = await open(file);
    await before.jobs.submit([added('waits'), added('runs')]);
    await before.store.close();
    const database = new DatabaseSync(file);
    database.exec(`
      INSERT INTO job_inputs SELECT seq, input FROM jobs;
      ALTER TABLE jobs DROP COLUMN input;
      PRAGMA user_version = 4;`);
    database.close();
    const { store, jobs } = await open(file);
    await jobs.submit([added('new')]);
    const claim = { endpoint: 'one', worker: 'w', count: 9, lease: 1_000, executionTimeout: 1_000 };
    const claimed = await jobs.claim(claim);
    assert.deepEqual(
      claimed.map(({ id, input }) => [id, input]),
      [
        ['waits', '{}'],
        ['runs', '{}'],
        ['new', '{}'],
      ],
    );
    await store.close();
  });
});
