import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { WORKER_LIMITS } from '../../runtime/contract/limits.ts';
import { endpointSpec, GraphqlError, TestHome, type TestPlatform, until } from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;
let id: string;
let url: string;

before(async () => {
  platform = await home.start();
  await platform.deploy({ endpoints: [endpointSpec('one', { workersMax: 1 })] });
  ({ id, url } = await platform.endpoint('one'));
});
after(() => home.clean());

interface Page {
  lines: { time: string; level: string; worker: string; request: string | null; message: string }[];
  cursor: string;
}

async function logs(
  query: { worker?: string; since?: string; cursor?: string; limit?: number } = {},
): Promise<Page> {
  const text = `query($endpoint: ID!, $worker: String, $since: String, $cursor: String, $limit: Int) {
    logs(endpoint: $endpoint, worker: $worker, since: $since, cursor: $cursor, limit: $limit) {
      lines { time level worker request message } cursor } }`;
  return (await platform.graphql<{ logs: Page }>(text, { endpoint: id, ...query })).logs;
}

const folder = () => path.join(home.folder, 'platform/logs', id);

test('returns plain lines, continues after a cursor, and keeps the lines of ended workers', async () => {
  const first = await platform.request('POST', `${url}/runsync`, { input: {} });
  const page = await logs();
  assert.deepEqual(
    page.lines.map(({ message, level }) => [message, level]),
    [[`working on ${String(first.body['id'])}`, 'info']],
  );
  const second = await platform.request('POST', `${url}/runsync`, { input: {} });
  const next = await logs({ cursor: page.cursor });
  assert.deepEqual(
    next.lines.map(({ message }) => message),
    [`working on ${String(second.body['id'])}`],
  );
  assert.deepEqual((await logs({ cursor: next.cursor })).lines, []);

  process.kill(Number(second.body['output']!['pid']), 'SIGKILL');
  const third = await platform.request('POST', `${url}/runsync`, { input: {} });
  const workers = [second, third].map(({ body }) => String(body['workerId']));
  assert.notEqual(workers[0], workers[1]);
  const all = await logs();
  assert.deepEqual([...new Set(all.lines.map(({ worker }) => worker))].toSorted(), workers.toSorted());
  assert.ok(
    all.lines.some(
      ({ message, level }) =>
        message === 'The command `python3 foreign_worker.py` was ended by signal SIGKILL (9).' &&
        level === 'error',
    ),
  );
  assert.equal((await logs({ worker: workers[1]! })).lines.length, 1);
});

test('pages through JSON lines in order, and filters them by time', async () => {
  const worker = 'wtest';
  const line = (second: number) => ({
    time: new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString(),
    level: 'warning',
    worker,
    request: 'r',
    message: `m${second}`,
  });
  const text = [1, 2, 3, 4, 5].map((second) => `${JSON.stringify(line(second))}\n`).join('');
  appendFileSync(path.join(folder(), `${worker}.log`), `${text}{"half": `);
  const last = await logs({ worker, limit: 2 });
  assert.deepEqual(last.lines, [line(4), line(5)]);
  const since = await logs({ worker, since: '2030-01-01T00:00:03Z' });
  assert.deepEqual(
    since.lines.map(({ message }) => message),
    ['m3', 'm4', 'm5'],
  );

  const empty = Buffer.from('{}').toString('base64url');
  const one = await logs({ worker, limit: 2, cursor: empty });
  const two = await logs({ worker, limit: 2, cursor: one.cursor });
  const three = await logs({ worker, limit: 2, cursor: two.cursor });
  assert.deepEqual(
    [one, two, three].map(({ lines }) => lines.map(({ message }) => message)),
    [['m1', 'm2'], ['m3', 'm4'], ['m5']],
  );
});

test("keeps a worker's log within the limit, without lines lost for a follower", async () => {
  const prints = 3_000;
  const old = (await logs()).cursor;
  let cursor = old;
  let worker = '';
  for (let job = 0; job < 8; job += 1) {
    const { body } = await platform.request('POST', `${url}/runsync`, { input: { print: prints } });
    worker = String(body['workerId']);
    const numbers: number[] = [];
    while (numbers.length < prints) {
      const page = await logs({ cursor, worker });
      cursor = page.cursor;
      numbers.push(
        ...page.lines.flatMap(({ message }) => /^line (\d+) /.exec(message)?.[1] ?? []).map(Number),
      );
    }
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index),
    );
  }
  const pieces = readdirSync(folder()).filter((file) => file.startsWith(worker));
  const bytes = pieces.reduce((sum, file) => sum + statSync(path.join(folder(), file)).size, 0);
  assert.ok(bytes > WORKER_LIMITS.logBytes / 2 && bytes <= WORKER_LIMITS.logBytes, `it has ${bytes} bytes`);
  const last = `line ${prints - 1} ${'x'.repeat(1_000)}`;
  assert.equal((await logs({ worker, limit: 1 })).lines[0]?.message, last);
  const late = await logs({ worker, cursor: old, limit: 1 });
  assert.equal(late.lines.length, 1, 'a follower that comes too late continues with the oldest kept line');
});

test('an endpoint keeps the logs of its last 20 workers', async () => {
  const pieces = (name: string) => [`${name}.log`, `${name}.100.log`];
  const names = Array.from({ length: 25 }, (_, index) => `wold${index}`);
  for (const [index, name] of names.entries()) {
    for (const piece of pieces(name)) {
      const file = path.join(folder(), piece);
      appendFileSync(file, 'a line\n');
      // In the next century: the logs of the tests before this one are older.
      utimesSync(file, 4e9 + index, 4e9 + index);
    }
  }
  const kept = names.slice(-20).flatMap(pieces).toSorted();
  const left = () => readdirSync(folder()).filter((file) => file.startsWith('wold'));
  await until('the oldest are removed', () => left().length <= kept.length);
  assert.deepEqual(left().toSorted(), kept);
});

test('refuses an unknown worker by name, and an invalid time with a valid example', async () => {
  const refused = (code: string, text: RegExp) => (error: unknown) =>
    error instanceof GraphqlError && error.code === code && text.test(`${error.message} ${error.hint ?? ''}`);
  await assert.rejects(logs({ worker: 'wnever' }), refused('NOT_FOUND', /"wnever".*Workers with a log: w/));
  for (const since of ['10m', '10', 'yesterday', '2030-99-99']) {
    await assert.rejects(logs({ since }), refused('BAD_REQUEST', /2030-01-31T12:00:00Z/));
  }
  assert.deepEqual((await logs({ since: '2099-01-01' })).lines, []);
});

test('refuses an invalid cursor and an unknown endpoint', async () => {
  await assert.rejects(
    logs({ cursor: 'nonsense' }),
    (error) => error instanceof GraphqlError && error.code === 'BAD_REQUEST',
  );
  const unknown = platform.graphql('{ logs(endpoint: "nothing") { cursor } }');
  await assert.rejects(
    unknown,
    (error) => error instanceof GraphqlError && error.code === 'ENDPOINT_NOT_FOUND',
  );
});

test('removes the logs with the endpoint', async () => {
  await platform.deploy({ endpoints: [], allowRemovals: true });
  await until('the folder is gone', () => !existsSync(folder()));
  assert.deepEqual(readdirSync(path.join(home.folder, 'platform/workers')), []);
});
