/**
 * How much work a call makes for the store, counted in query plans and commits. Tests cannot judge its time.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { openDoors } from '../../runtime/platform/store/doors.ts';
import { columnsOf } from '../../runtime/platform/store/jobColumns.ts';
import { openSchema } from '../../runtime/platform/store/schema.ts';
import { Store } from '../../runtime/platform/store/store.ts';
import { QueueCounter } from '../../runtime/platform/store/tables/queueCounter.ts';
import { job } from './jobStoreConformance.ts';

const THREAD = new URL('../../runtime/platform/main.ts', import.meta.url);

/** Records the text of each statement. */
class NotingDatabase extends DatabaseSync {
  readonly statements: string[] = [];

  override prepare(sql: string): StatementSync {
    this.statements.push(sql);
    return super.prepare(sql);
  }
}

/** By a key, by due time, or among the jobs that wait, run or have a webhook to call. */
const BOUNDED = /^SEARCH jobs .*\((\w+=\?|due<\?)|INDEX jobs_(waiting|held|webhook)\b/;

test('no statement scans all kept results', () => {
  const database = new NotingDatabase(':memory:');
  openSchema(database);
  openDoors(database, new QueueCounter(database));
  const statements = [...database.statements];
  const looks = statements.flatMap((sql) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => `${String(detail)}: ${sql}`)
      .filter((look) => /^(SCAN|SEARCH) jobs\b/.test(look)),
  );
  assert.ok(looks.length > 0);
  assert.deepEqual(
    looks.filter((look) => !BOUNDED.test(look)),
    [],
  );
});

test('listing the due webhooks reads no input and no result', () => {
  const database = new DatabaseSync(':memory:');
  openSchema(database);
  const { jobs, jobEnds, webhooks } = openDoors(database, new QueueCounter(database));
  jobs.submit(columnsOf([job({ id: 'told', webhook: 'http://example.com' }), job({ id: 'silent' })]));
  const holder = { endpoint: 'one', worker: 'w', attempt: 1 };
  jobs.claim({ endpoint: 'one', worker: 'w', count: 2, lease: 1_000, executionTimeout: 1_000 });
  const end = { holder, state: 'COMPLETED' as const, output: '"large"', error: null, fromChunks: false };
  jobEnds.finish([
    { ...end, id: 'told' },
    { ...end, id: 'silent' },
  ]);
  const [due, ...others] = webhooks.next(32);
  assert.deepEqual(others, []);
  assert.deepEqual(Object.keys(due!), ['id', 'webhook_due']);
  const { id, finished, input, output } = webhooks.read(due!.id)!;
  assert.deepEqual({ id, input, output }, { id: 'told', input: '{"x": 1.0}', output: '"large"' });
  webhooks.tried(id, finished! - 1, 1, null);
  assert.notEqual(webhooks.read(id), null, 'a second end is ignored after the first was sent');
  webhooks.tried(id, finished, 1, null);
  assert.equal(webhooks.read(id), null);
});

/**
 * How many transactions the write-ahead log of a database contains: the frames that record the database's
 * size.
 */
function commits(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let found = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    if (log.readUInt32BE(at + 4) > 0 && log.subarray(at + 8, at + 16).equals(salt)) found += 1;
  }
  return found;
}

test('a call that fails adds no commit for the others of its batch', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-store-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'store.sqlite');
  const store = (await Store.open(file, THREAD))!;
  after(() => store.close());
  await store.jobs.submit([job({ id: 'taken' })]);
  const before = commits(file);
  const ids = Array.from({ length: 50 }, (_, index) => `job-${index}`);
  const answers = await Promise.allSettled(
    [...ids, 'taken', ...ids.map((id) => `other-${id}`)].map((id) => store.jobs.submit([job({ id })])),
  );
  const failed = answers.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  assert.deepEqual(failed, [50]);
  const made = commits(file) - before;
  assert.ok(made > 0 && made < 10, `${made} commits`);
});
