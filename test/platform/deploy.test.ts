import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { ErrorCode } from '../../runtime/contract/errors.ts';
import {
  type Deploy,
  endpointSpec,
  GraphqlError,
  isAlive,
  loadBalancedSpec,
  TestHome,
  type TestPlatform,
  until,
} from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start();
});
after(() => home.clean());

const version = (text: string) => ({ env: { VERSION: text } });
const started = (text: string) => ({
  fingerprint: { code: text.repeat(64).slice(0, 64), dependencies: 'b'.repeat(64) },
});

function refused(code: ErrorCode, message?: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof GraphqlError, String(error));
    assert.equal(error.code, code);
    if (message) assert.match(error.message, message);
    return true;
  };
}

/** Names of endpoints whose workers were started according to the platform's log since an offset. */
function rolled(from: number): string[] {
  const lines = readFileSync(path.join(home.folder, 'platform/platform.log'), 'utf8')
    .slice(from)
    .split('\n')
    .filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { msg: string; name?: string });
  return events.filter(({ msg }) => msg === 'worker started').map(({ name }) => name!);
}

const logSize = () => readFileSync(path.join(home.folder, 'platform/platform.log'), 'utf8').length;

test('creates, keeps, updates and removes endpoints as its plan says', async () => {
  const first: Deploy = { endpoints: [endpointSpec('b'), endpointSpec('a'), loadBalancedSpec('web')] };
  const created = await platform.deploy(first);
  assert.equal(created.state, 'succeeded', JSON.stringify(created));
  assert.deepEqual(created.plan, { create: ['a', 'b', 'web'], update: [], unchanged: [], remove: [] });
  assert.equal(created.build, 1);
  const before = await platform.endpoints();

  let from = logSize();
  const same = await platform.deploy({ ...first, code: 'other code' });
  assert.deepEqual(same.plan, { create: [], update: [], unchanged: ['a', 'b', 'web'], remove: [] });
  assert.deepEqual([same.state, same.build], ['succeeded', 1]);
  assert.deepEqual(rolled(from), []);

  from = logSize();
  const edited: Deploy = {
    ...first,
    endpoints: [endpointSpec('b', started('c')), endpointSpec('a'), loadBalancedSpec('web')],
  };
  const { plan } = await platform.plan(edited);
  assert.deepEqual(plan.update, [{ name: 'b', reasons: ['code'] }]);
  const updated = await platform.deploy(edited);
  assert.deepEqual(updated.plan, plan);
  assert.deepEqual([updated.state, updated.build], ['succeeded', 2]);
  assert.deepEqual(rolled(from), ['b']);
  const after = await platform.endpoints();
  assert.deepEqual(
    after.map(({ id, url }) => [id, url]),
    before.map(({ id, url }) => [id, url]),
  );
  assert.deepEqual(
    after.map(({ build }) => build),
    [1, 2, 1],
  );

  const less: Deploy = { ...edited, endpoints: edited.endpoints.slice(1) };
  await assert.rejects(
    platform.deploy(less),
    refused('CONFIRMATION_NEEDED', /would remove b; nothing was changed\.$/),
  );
  assert.equal((await platform.endpoints()).length, 3);
  const removed = await platform.deploy({ ...less, allowRemovals: true });
  assert.deepEqual(removed.plan.remove, ['b']);
  assert.deepEqual(removed.steps, [{ endpoint: 'b', state: 'removed', detail: null, lines: [] }]);
  assert.deepEqual(
    (await platform.endpoints()).map(({ name }) => name),
    ['a', 'web'],
  );
  assert.equal((await platform.request('GET', `${after[1]!.url}/health`)).status, 404);
});

test('lists each setting that changes an endpoint', async () => {
  const app = 'settings';
  const base = endpointSpec('one', { workersMax: 0 });
  await platform.deploy({ app, endpoints: [base] });
  const cases: [Partial<typeof base>, string[]][] = [
    [{ fingerprint: { code: base.fingerprint.code, dependencies: 'c'.repeat(64) } }, ['dependencies']],
    [{ workersMax: 1 }, ['settings: workers']],
    [{ idleTimeout: 1 }, ['settings: idle_timeout']],
    [{ hardware: { cpu: 'cpu3c-1-2' } }, ['settings: cpu']],
    [{ hardware: { gpu: 'ANY', gpuTypes: [] } }, ['settings: gpu', 'settings: cpu']],
    [
      { executionTimeout: 5, maxConcurrency: 2 },
      ['settings: execution_timeout', 'settings: max_concurrency'],
    ],
    [{ env: { A: '1' } }, ['settings: env']],
    [{ kind: 'load-balanced' }, ['settings: kind']],
  ];
  for (const [change, reasons] of cases) {
    const { plan } = await platform.plan({ app, endpoints: [{ ...base, ...change }] });
    assert.deepEqual(plan.update, [{ name: 'one', reasons }]);
  }
  const { plan } = await platform.plan({ app, endpoints: [base], secrets: { one: { TOKEN: 'x' } } });
  assert.deepEqual(plan.update, [{ name: 'one', reasons: ['settings: env'] }]);
});

test('changes of workers and idle_timeout take effect without new workers', async () => {
  const app = 'scaling';
  await platform.deploy({ app, endpoints: [endpointSpec('one', { workersMin: 1, workersMax: 1 })] });
  const from = logSize();
  const changed = await platform.deploy({
    app,
    endpoints: [endpointSpec('one', { workersMin: 1, workersMax: 2, idleTimeout: 5 })],
  });
  assert.equal(changed.state, 'succeeded');
  assert.deepEqual(rolled(from), []);
  const [endpoint] = await platform.endpoints(app);
  assert.equal(endpoint!.workers.max, 2);
  assert.equal(endpoint!.workers.idle, 1);
});

test("a build that does not load leaves the previous one serving, and reports the worker's last lines", async () => {
  const app = 'failing';
  await platform.deploy({ app, endpoints: [endpointSpec('one', version('1'))] });
  const [before] = await platform.endpoints(app);
  const failed = await platform.deploy({
    app,
    endpoints: [endpointSpec('one', { env: { VERSION: '2', FAIL_START: 'yes' } }), endpointSpec('new')],
  });
  assert.equal(failed.state, 'failed');
  assert.equal(failed.error?.code, 'ROLLOUT_FAILED');
  assert.match(failed.error?.message ?? '', /"one": The command .* ended with exit code 7/);
  const step = failed.steps.find(({ endpoint }) => endpoint === 'one');
  assert.equal(step?.state, 'failed');
  assert.ok(step?.lines.includes('Traceback: this worker was told to fail'), JSON.stringify(step));
  assert.deepEqual(
    (await platform.endpoints(app)).map(({ name }) => name),
    ['one'],
  );
  const { body } = await platform.request('POST', `${before!.url}/runsync`, { input: {} });
  assert.equal(body['output']!['version'], '1');

  const repaired = await platform.deploy({ app, endpoints: [endpointSpec('one', version('3'))] });
  assert.equal(repaired.state, 'succeeded');
  const answer = await platform.request('POST', `${before!.url}/runsync`, { input: {} });
  assert.equal(answer.body['output']!['version'], '3');
});

test('the old worker finishes its job while the new build already serves', async () => {
  const app = 'rolling';
  await platform.deploy({ app, endpoints: [endpointSpec('one', version('1'))] });
  const { url } = (await platform.endpoints(app))[0]!;
  const slow = platform.request('POST', `${url}/runsync`, { input: { sleep: 3 } });
  await until('the job runs', async () => (await platform.endpoints(app))[0]!.jobs.inProgress === 1);
  await platform.deploy({ app, endpoints: [endpointSpec('one', version('2'))] });
  const fast = await platform.request('POST', `${url}/runsync`, { input: {} });
  assert.equal(fast.body['output']!['version'], '2');
  const { body } = await slow;
  assert.equal(body['output']!['version'], '1');
  assert.ok(!('retries' in body));
});

test('no request fails while a load-balanced endpoint is replaced', async () => {
  const app = 'rolling-web';
  await platform.deploy({ app, endpoints: [loadBalancedSpec('web', version('1'))] });
  const { url } = (await platform.endpoints(app))[0]!;
  const rolling = new AbortController();
  const versions = new Set<string>();
  const client = async () => {
    while (!rolling.signal.aborted) {
      const answer = await platform.request('POST', `${url}/x`, { a: 1 });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      versions.add(String(answer.body['version']));
    }
  };
  const clients = [client(), client()];
  await platform.deploy({ app, endpoints: [loadBalancedSpec('web', version('2'))] });
  await until('the new build answers', () => versions.has('2'));
  rolling.abort();
  await Promise.all(clients);
  assert.deepEqual([...versions].toSorted(), ['1', '2']);
});

test('refuses more workers than the quota, with names and numbers, and changes nothing', async () => {
  const app = 'greedy';
  const endpoints = [endpointSpec('big', { workersMax: 29 }), endpointSpec('small', { workersMax: 2 })];
  const deploy = platform.deploy({ app, endpoints });
  await assert.rejects(deploy, refused('QUOTA_EXCEEDED', /quota is 30: big 29, .*small 2/));
  await assert.rejects(platform.plan({ app, endpoints }), refused('QUOTA_EXCEEDED'));
  assert.deepEqual(await platform.endpoints(app), []);
});

test('counts the endpoints that the same plan removes toward the free quota', async () => {
  const other = new TestHome();
  try {
    const small = await other.start({ quota: 3 });
    await small.deploy({ endpoints: [endpointSpec('a', { workersMax: 3 })] });
    const swapped = await small.deploy({
      endpoints: [endpointSpec('b', { workersMax: 3 })],
      allowRemovals: true,
    });
    assert.equal(swapped.state, 'succeeded');
    await assert.rejects(
      small.deploy({ app: 'second', endpoints: [endpointSpec('c', { workersMax: 1 })] }),
      refused('QUOTA_EXCEEDED', /shop\/production\/b 3/),
    );
  } finally {
    await other.clean();
  }
});

test('the workers of the former build get no more jobs and end, however long idle workers are kept', async () => {
  const build = (text: string) => ({
    app: 'replaced',
    endpoints: [endpointSpec('one', { idleTimeout: 3_600, workersMin: 1, ...version(text) })],
  });
  const pidOf = async (url: string) => {
    const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
    return Number(body['output']!['pid']);
  };
  await platform.deploy(build('1'));
  const former = await pidOf((await platform.endpoints('replaced'))[0]!.url);
  await platform.deploy(build('2'));
  const { url } = (await platform.endpoints('replaced'))[0]!;
  const pids = await Promise.all([pidOf(url), pidOf(url), pidOf(url)]);
  assert.ok(!pids.includes(former));
  await until('the former worker has ended', () => !isAlive(former));
});

test('refuses a deploy whose plan is based on another revision', async () => {
  const app = 'revised';
  const { revision } = await platform.plan({ app, endpoints: [endpointSpec('one')] });
  await platform.deploy({ app, endpoints: [endpointSpec('one', { workersMax: 0 })], revision });
  await assert.rejects(
    platform.deploy({ app, endpoints: [endpointSpec('one')], revision }),
    refused(
      'DEPLOY_CONFLICT',
      /changed revised\/production after this plan was computed\. This deploy changed nothing\.$/,
    ),
  );
});

for (const [title, spec, code, message] of [
  [
    'refuses an image that it does not provide',
    endpointSpec('one', { image: 'mine:1' }),
    'SETTING_UNSUPPORTED',
    /"one" sets image "mine:1"/,
  ],
  [
    'refuses a Python that it does not have, and lists those it has',
    endpointSpec('one', { python: '3.99' }),
    'PYTHON_UNSUPPORTED',
    /needs Python 3\.99.*it has 3\./,
  ],
  ['refuses the reserved prefix', endpointSpec('live-one'), 'MANIFEST_INVALID', /live-one/],
  ['refuses an invalid name', endpointSpec('a b'), 'MANIFEST_INVALID', /"a b" is not a valid endpoint name/],
] as const) {
  test(title, async () => {
    await assert.rejects(platform.deploy({ app: 'refused', endpoints: [spec] }), refused(code, message));
  });
}

test('reports in the plan that a GPU endpoint runs on the CPU', async () => {
  const { notes } = await platform.plan({
    app: 'gpu',
    endpoints: [endpointSpec('one', { hardware: { gpu: 'ANY', gpuTypes: [] } })],
  });
  assert.deepEqual(notes, ['"one" requests a GPU but runs on the CPU: no GPU on this machine.']);
});

test('shows errors of a query, unlike errors of the platform', async () => {
  const { body } = await platform.request('POST', '/graphql', { query: '{ nothing }' });
  assert.match(JSON.stringify(body), /Cannot query field/);
});
