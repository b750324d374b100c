/**
 * Live endpoints: they belong to one run of dev, are separate from deployed endpoints, and are removed with
 * their run.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { ErrorCode } from '../../runtime/contract/errors.ts';
import {
  endpointSpec,
  GraphqlError,
  loadBalancedSpec,
  TestHome,
  type TestPlatform,
  until,
} from './harness.ts';
import { manualWorker } from './manualWorker.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start();
});
after(() => home.clean());

const version = (code: string) => ({ fingerprint: { code: code.repeat(64), dependencies: 'b'.repeat(64) } });
const live = async () =>
  (await platform.endpoints()).filter((endpoint) => endpoint.live).map(({ name }) => name);

/** The worker that the test plays itself. */
const workerOf = (name: string) => manualWorker(platform, name);

function refused(code: ErrorCode, message?: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof GraphqlError, String(error));
    assert.equal(error.code, code);
    if (message) assert.match(error.message, message);
    return true;
  };
}

test('a small part can be sent with the request that names it, and is refused when it is damaged', async () => {
  await platform.renewRun('run-0');
  const app = { endpoints: [endpointSpec('a')], code: 'carried' };
  const other = (code: Buffer) => Buffer.from(code).fill(0, 20, 21);
  await assert.rejects(platform.provision('run-0', app, other), refused('UPLOAD_REJECTED', /sha256/));
  const short = (code: Buffer) => code.subarray(1);
  await assert.rejects(platform.provision('run-0', app, short), refused('UPLOAD_REJECTED'));
  const made = await platform.provision('run-0', app, (code) => code);
  assert.equal(made.state, 'succeeded', JSON.stringify(made));
  await platform.releaseRun('run-0');
});

test('a run has its own endpoints, which keep their id and address through an update', async () => {
  await platform.renewRun('run-1');
  await platform.renewRun('run-2');
  const created = await platform.provision('run-1', { endpoints: [endpointSpec('a')] });
  assert.deepEqual(
    [created.state, created.plan.create, created.build],
    ['succeeded', ['live-a'], 1],
    JSON.stringify(created),
  );
  const other = await platform.provision('run-2', { endpoints: [endpointSpec('a')] });
  assert.equal(other.state, 'succeeded');
  const before = await platform.endpoints();
  assert.deepEqual(
    before.map((endpoint) => [endpoint.name, endpoint.live]),
    [
      ['live-a', true],
      ['live-a', true],
    ],
  );
  assert.notEqual(before[0]!.id, before[1]!.id);
  const same = await platform.provision('run-1', { endpoints: [endpointSpec('a')] });
  assert.deepEqual([same.state, same.plan.unchanged, same.build], ['succeeded', ['live-a'], 1]);
  const updated = await platform.provision('run-1', { endpoints: [endpointSpec('a', version('c'))] });
  assert.deepEqual(updated.plan.update, [{ name: 'live-a', reasons: ['code'] }]);
  assert.equal(updated.build, 2);
  const ids = (endpoints: { id: string; url: string }[]) =>
    endpoints.map(({ id, url }) => `${id} ${url}`).sort();
  assert.deepEqual(ids(await platform.endpoints()), ids(before));
  assert.deepEqual(await platform.releaseRun('run-1'), ['live-a']);
  assert.deepEqual(await platform.releaseRun('run-2'), ['live-a']);
  assert.deepEqual(await live(), []);
});

test('deploys, removals and the quota of deployed endpoints ignore live endpoints', async () => {
  await platform.deploy({ endpoints: [endpointSpec('a', { workersMax: 20 })] });
  await platform.renewRun('run-3');
  await platform.provision('run-3', { endpoints: [endpointSpec('a', { workersMax: 20 })] });
  await platform.provision('run-3', { endpoints: [loadBalancedSpec('web', { workersMax: 5 })] });
  const over = platform.provision('run-3', { endpoints: [endpointSpec('more', { workersMax: 6 })] });
  await assert.rejects(over, refused('QUOTA_EXCEEDED', /31 workers/));
  const { plan } = await platform.plan({ endpoints: [endpointSpec('a', { workersMax: 20 })] });
  assert.deepEqual(plan, { create: [], update: [], unchanged: ['a'], remove: [] });
  const names = 'mutation { undeploy(app: "shop", environment: "production") }';
  assert.deepEqual((await platform.graphql<{ undeploy: string[] }>(names)).undeploy, ['a']);
  assert.deepEqual(await live(), ['live-a', 'live-web']);
  assert.deepEqual(await platform.releaseRun('run-3', ['live-a']), ['live-a']);
  assert.deepEqual(await live(), ['live-web']);
  await platform.releaseRun('run-3');
});

test('a change whose worker does not load leaves the previous version serving', async () => {
  await platform.renewRun('run-4');
  await platform.provision('run-4', { endpoints: [endpointSpec('a', version('c'))] });
  const broken = endpointSpec('a', { ...version('d'), env: { FAIL_START: '1' } });
  const failed = await platform.provision('run-4', { endpoints: [broken] });
  assert.deepEqual([failed.state, failed.error?.code], ['failed', 'ROLLOUT_FAILED']);
  const [endpoint] = await platform.endpoints();
  assert.deepEqual([endpoint!.name, endpoint!.build], ['live-a', 1]);
  await platform.releaseRun('run-4');
});

test('a newer version of an endpoint replaces one that does not become ready, and so does its removal', async () => {
  await platform.renewRun('run-10');
  const silent = { endpoints: [endpointSpec('a', { env: { MANUAL: 'silent' } })] };
  const replaced = platform.provision('run-10', silent);
  const { pid } = await workerOf('silent');
  const newest = await platform.provision('run-10', { endpoints: [endpointSpec('a', version('c'))] });
  assert.equal(newest.state, 'succeeded', JSON.stringify(newest));
  const { state, error } = await replaced;
  assert.deepEqual([state, error?.code], ['failed', 'DEPLOY_CONFLICT']);
  assert.match(error!.message, /newer version of "live-a"/);
  assert.ok(!existsSync(`/proc/${pid}`), 'its worker has ended');

  const removed = platform.provision('run-10', silent);
  await workerOf('silent');
  assert.deepEqual(await platform.releaseRun('run-10', ['live-a']), ['live-a']);
  assert.deepEqual([(await removed).error?.code, await live()], ['DEPLOY_CONFLICT', []]);
  await platform.releaseRun('run-10');
});

test('a run without a sign of life ends, and a renewed one continues', async () => {
  const renewing = setInterval(() => void platform.renewRun('run-5'), 1_000);
  await platform.renewRun('run-5');
  await platform.renewRun('run-6');
  await platform.provision('run-5', { endpoints: [endpointSpec('kept')] });
  await platform.provision('run-6', { endpoints: [endpointSpec('lost')] });
  await until('the silent run has ended', async () => (await live()).length === 1);
  clearInterval(renewing);
  assert.deepEqual(await live(), ['live-kept']);
  const late = platform.provision('run-6', { endpoints: [endpointSpec('lost')] });
  await assert.rejects(late, refused('NOT_FOUND', /has ended/));
  await platform.releaseRun('run-5');
});

test('runs survive a restart of the platform while they are renewed', async () => {
  await platform.renewRun('run-7');
  await platform.provision('run-7', { endpoints: [endpointSpec('a')] });
  const [before] = await platform.endpoints();
  await platform.kill();
  platform = await home.start();
  assert.deepEqual(await platform.renewRun('run-7'), { wanted: [], lost: [] });
  const updated = await platform.provision('run-7', { endpoints: [endpointSpec('a', version('e'))] });
  assert.equal(updated.state, 'succeeded');
  const [after] = await platform.endpoints();
  assert.equal(after!.id, before!.id);
  await platform.releaseRun('run-7');
});

test('a run is notified at once of an endpoint that it has lost', async () => {
  await platform.renewRun('run-9');
  await platform.provision('run-9', { endpoints: [endpointSpec('a')] });
  const { id } = (await platform.endpoints())[0]!;
  const waiting = platform.renewRun('run-9', { serving: [id], wait: 5_000 });
  assert.deepEqual(await platform.releaseRun('run-9', ['live-a']), ['live-a']);
  assert.deepEqual(await waiting, { wanted: [], lost: [id] });
  await platform.releaseRun('run-9');
});

test('a worker of a run finds its peers only in that run, and waits for those that are not there yet', async () => {
  await platform.deploy({ endpoints: [endpointSpec('peer')], allowRemovals: true });
  await platform.renewRun('run-8');
  const provisioned = platform.provision('run-8', {
    endpoints: [endpointSpec('a', { env: { MANUAL: 'live-a' } })],
  });
  const worker = await workerOf('live-a');
  await worker.take(AbortSignal.timeout(200)).catch(() => null);
  assert.equal((await provisioned).state, 'succeeded');
  const key = worker.environment['PLATFORM_API_KEY']!;
  const query = `query($name: String!) {
    endpoint(app: "shop", environment: "production", name: $name) { name live url } }`;
  const lookUp = async (name: string) =>
    (await platform.graphql<{ endpoint: { name: string } | null }>(query, { name }, key)).endpoint?.name;

  assert.equal(await lookUp('a'), 'live-a');
  const looked = lookUp('peer');
  assert.deepEqual((await platform.renewRun('run-8', { wait: 5_000 })).wanted, ['peer']);
  assert.deepEqual((await platform.renewRun('run-8')).wanted, [], 'a name is requested once');
  await platform.provision('run-8', { endpoints: [endpointSpec('peer')] });
  assert.equal(await looked, 'live-peer');

  const declined = lookUp('other');
  assert.deepEqual((await platform.renewRun('run-8', { wait: 5_000 })).wanted, ['other']);
  const why = { name: 'other', code: 'ENDPOINT_NOT_FOUND', message: 'No file declares "other".', hint: null };
  await Promise.all([
    assert.rejects(declined, refused('ENDPOINT_NOT_FOUND', /No file declares "other"/)),
    platform.renewRun('run-8', { declined: [why] }),
  ]);
  const [deployed] = (await platform.endpoints()).filter(({ live }) => !live);
  const called = await platform.request(
    'POST',
    `/v2/${deployed!.id}/run`,
    { input: {} },
    { authorization: key },
  );
  assert.equal(called.status, 401, 'its key opens nothing outside of the run');
  await platform.releaseRun('run-8');
});
