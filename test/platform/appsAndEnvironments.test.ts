import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { BuildRecord } from '../../runtime/contract/deployment.ts';
import type { ErrorCode } from '../../runtime/contract/errors.ts';
import { endpointSpec, GraphqlError, isAlive, TestHome, type TestPlatform } from './harness.ts';
import { manualWorker } from './manualWorker.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start();
});
after(() => home.clean());

const ENVIRONMENT = 'app name build revision endpoints { name }';

interface Environment {
  app: string;
  name: string;
  build: number;
  revision: number;
  endpoints: { name: string }[];
}

async function apps(): Promise<Record<string, string[]>> {
  const data = await platform.graphql<{ apps: { name: string; environments: { name: string }[] }[] }>(
    '{ apps { name environments { name } } }',
  );
  return Object.fromEntries(
    data.apps.map(({ name, environments }) => [name, environments.map((each) => each.name)]),
  );
}

async function history(app: string, environment: string): Promise<BuildRecord[]> {
  const query = `query($app: String!, $environment: String!) {
    history(app: $app, environment: $environment) { build time endpoints current } }`;
  return (await platform.graphql<{ history: BuildRecord[] }>(query, { app, environment })).history;
}

async function undeploy(app: string, environment: string, names: string[] | null): Promise<string[]> {
  const query = `mutation($app: String!, $environment: String!, $names: [String!]) {
    undeploy(app: $app, environment: $environment, names: $names) }`;
  return (await platform.graphql<{ undeploy: string[] }>(query, { app, environment, names })).undeploy;
}

const createApp = (name: string, key?: string) =>
  platform.graphql<{ createApp: { name: string; environments: object[] } }>(
    'mutation($name: String!) { createApp(name: $name) { name environments { name } } }',
    { name },
    key,
  );
const deleteApp = (name: string) =>
  platform.graphql<{ deleteApp: { name: string; environments: Environment[] } }>(
    `mutation($name: String!) { deleteApp(name: $name) { name environments { ${ENVIRONMENT} } } }`,
    { name },
  );
const createEnvironment = (app: string, name: string) =>
  platform.graphql<{ createEnvironment: Environment }>(
    `mutation($app: String!, $name: String!) { createEnvironment(app: $app, name: $name) { ${ENVIRONMENT} } }`,
    { app, name },
  );
const deleteEnvironment = (app: string, name: string) =>
  platform.graphql<{ deleteEnvironment: Environment }>(
    `mutation($app: String!, $name: String!) { deleteEnvironment(app: $app, name: $name) { ${ENVIRONMENT} } }`,
    { app, name },
  );

async function refused(answer: Promise<unknown>, code: ErrorCode, text: RegExp): Promise<void> {
  await assert.rejects(answer, (error) => {
    assert.ok(error instanceof GraphqlError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(`${error.message} ${error.hint ?? ''}`, text);
    return true;
  });
}

test('apps and environments are created, listed and removed without a deploy', async () => {
  assert.deepEqual((await createApp('empty')).createApp, { name: 'empty', environments: [] });
  const made = (await createEnvironment('empty', 'staging')).createEnvironment;
  assert.deepEqual(made, { app: 'empty', name: 'staging', build: 0, revision: 0, endpoints: [] });
  await createEnvironment('empty', 'production');
  assert.deepEqual(await apps(), { empty: ['production', 'staging'] });
  assert.deepEqual(await history('empty', 'staging'), []);
  assert.deepEqual(
    (
      await platform.graphql<{ environment: Environment }>(
        '{ environment(app: "empty", name: "staging") { name } }',
      )
    ).environment,
    { name: 'staging' },
  );
  assert.equal((await deleteEnvironment('empty', 'staging')).deleteEnvironment.name, 'staging');
  const gone = (await deleteApp('empty')).deleteApp;
  assert.deepEqual(
    gone.environments.map(({ name }) => name),
    ['production'],
  );
  assert.deepEqual(await apps(), {});
});

test('knows no environment that nobody created or deployed to', async () => {
  const query = '{ environment(app: "nowhere", name: "production") { name } }';
  assert.deepEqual(await platform.graphql(query), { environment: null });
});

test('refuses a name that is already in use, and an invalid name', async () => {
  await createApp('twice');
  await refused(createApp('twice'), 'CONFLICT', /"twice"/);
  await createEnvironment('twice', 'one');
  await refused(createEnvironment('twice', 'one'), 'CONFLICT', /twice\/one/);
  await refused(createApp('no/slash'), 'BAD_REQUEST', /"no\/slash".*letters/);
  await refused(createEnvironment('twice', ''), 'BAD_REQUEST', /letters/);
  await refused(createEnvironment('nowhere', 'one'), 'APP_NOT_FOUND', /"nowhere"\. Existing apps: twice\.$/);
  await refused(deleteApp('nowhere'), 'APP_NOT_FOUND', /"nowhere"/);
  await refused(
    deleteEnvironment('twice', 'two'),
    'ENVIRONMENT_NOT_FOUND',
    /"two"\. Existing environments: one\. Choose one with --env\.$/,
  );
  await refused(undeploy('twice', 'two', null), 'ENVIRONMENT_NOT_FOUND', /"two"/);
  await deleteApp('twice');
});

test('a key with the scope invoke can neither change nor read them', async () => {
  const create = 'mutation { createKey(scope: "invoke") { key } }';
  const { key } = (await platform.graphql<{ createKey: { key: string } }>(create)).createKey;
  await refused(createApp('mine', key), 'FORBIDDEN', /"deploy"/);
  for (const query of [
    'mutation { deleteApp(name: "a") { name } }',
    'mutation { createEnvironment(app: "a", name: "b") { name } }',
    'mutation { deleteEnvironment(app: "a", name: "b") { name } }',
    'mutation { undeploy(app: "a", environment: "b") }',
    '{ history(app: "a", environment: "b") { build } }',
  ]) {
    await refused(platform.graphql(query, {}, key), 'FORBIDDEN', /"deploy"/);
  }
});

test('undeploy removes the named endpoints with their workers, logs and jobs, and leaves the others running', async () => {
  await platform.deploy({ endpoints: ['a', 'b', 'c'].map((name) => endpointSpec(name)) });
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => platform.endpoint(name)));
  assert.ok(a && b && c);
  const first = await platform.request('POST', `${a.url}/runsync`, { input: {} });
  const pid = Number(first.body['output']!['pid']);
  const waiting = platform.request('POST', `${b.url}/runsync?wait=300000`, { input: { sleep: 300 } });
  await refused(
    undeploy('shop', 'production', ['a', 'x']),
    'ENDPOINT_NOT_FOUND',
    /: x; nothing was changed\. Deployed endpoints: a, b, c\.$/,
  );
  assert.equal((await platform.endpoints()).length, 3);

  assert.deepEqual(await undeploy('shop', 'production', ['b', 'a']), ['a', 'b']);
  assert.ok(!isAlive(pid));
  assert.equal((await waiting).status, 404);
  assert.ok(!existsSync(path.join(home.folder, 'platform/logs', a.id)));
  assert.equal((await platform.request('POST', `${a.url}/run`, { input: {} })).status, 404);
  assert.equal(
    (await platform.request('POST', `${c.url}/runsync`, { input: {} })).body['status'],
    'COMPLETED',
  );
  const plan = await platform.plan({ endpoints: ['a', 'b', 'c'].map((name) => endpointSpec(name)) });
  assert.deepEqual(plan.plan, { create: ['a', 'b'], update: [], unchanged: ['c'], remove: [] });

  assert.equal((await history('shop', 'production'))[0]!.current, true);
  assert.deepEqual(await undeploy('shop', 'production', null), ['c']);
  assert.deepEqual(await undeploy('shop', 'production', null), []);
  assert.equal(
    (await history('shop', 'production')).some(({ current }) => current),
    false,
  );
});

test('the account counts the workers that its endpoints may have', async () => {
  const most = async () =>
    (await platform.graphql<{ account: { workersMax: number } }>('{ account { workersMax } }')).account
      .workersMax;
  const before = await most();
  const endpoints = [endpointSpec('a', { workersMax: 2 }), endpointSpec('b', { workersMax: 3 })];
  await platform.deploy({ app: 'counted', endpoints });
  assert.equal(await most(), before + 5);
  for (const app of Object.keys(await apps())) await deleteApp(app);
  assert.equal(await most(), 0);
});

test('history lists the builds that went live, newest first, and which one serves', async () => {
  const app = 'told';
  await platform.deploy({ app, endpoints: [endpointSpec('b'), endpointSpec('a')] });
  const failing = endpointSpec('a', { env: { FAIL_START: '1' } });
  await platform.deploy({ app, endpoints: [failing], allowRemovals: true });
  await platform.deploy({ app, endpoints: [endpointSpec('a')], allowRemovals: true });
  const builds = await history(app, 'production');
  assert.deepEqual(
    builds.map(({ build, endpoints, current }) => [build, endpoints, current]),
    [
      [3, ['a'], true],
      [1, ['a', 'b'], false],
    ],
  );
  assert.ok(Date.parse(builds[0]!.time) >= Date.parse(builds[1]!.time));
});

test('nothing is removed from an environment while a deploy to it is in progress', async () => {
  const app = 'busy';
  await platform.deploy({ app, endpoints: [endpointSpec('a')] });
  const changed = endpointSpec('a', { env: { VERSION: '2' } });
  const begun = await platform.begin({ app, endpoints: [changed, endpointSpec('b')] });
  assert.equal(begun.state, 'running');
  await refused(undeploy(app, 'production', null), 'DEPLOY_CONFLICT', /Nothing was changed/);
  await refused(deleteEnvironment(app, 'production'), 'DEPLOY_CONFLICT', /Nothing was changed/);
  await refused(deleteApp(app), 'DEPLOY_CONFLICT', /Nothing was changed/);
  while ((await platform.deployment(begun.id)).state === 'running');
  assert.equal((await platform.deployment(begun.id)).state, 'succeeded');
  assert.deepEqual(await undeploy(app, 'production', ['b']), ['b']);
});

test('deleting an environment leaves no endpoint, worker, history or unshared part behind', async () => {
  const secrets = { a: { TOKEN: 'a-secret-of-this-environment' } };
  const place = { app: 'gone', endpoints: [endpointSpec('a')] };
  await platform.deploy({ ...place, environment: 'one', code: 'shared', secrets });
  await platform.deploy({ ...place, environment: 'two', code: 'shared' });
  await platform.deploy({ ...place, environment: 'three', code: 'only here' });
  const parts = () => readdirSync(path.join(home.folder, 'platform/parts')).length;
  const before = parts();
  const url = (await platform.endpoints('gone', 'three'))[0]!.url;
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  await deleteEnvironment('gone', 'three');
  assert.ok(!isAlive(Number(body['output']!['pid'])));
  assert.equal(parts(), before - 1);
  assert.deepEqual(await history('gone', 'three'), []);
  await deleteEnvironment('gone', 'one');
  assert.equal(parts(), before - 1);
  const again = await platform.deploy({ ...place, environment: 'three', code: 'only here' });
  assert.deepEqual([again.state, again.build], ['succeeded', 1]);
  await deleteApp('gone');
  assert.equal(parts(), before - 2);
  assert.equal('gone' in (await apps()), false);
});

test("deleting an environment ends its workers' key, and not that of the app's other environments", async () => {
  const keyOf = async (environment: string) => {
    const env = { MANUAL: `keys-${environment}` };
    const spec = endpointSpec('a', { workersMin: 1, env });
    const deploying = platform.deploy({ app: 'keys', environment, endpoints: [spec] });
    const worker = await manualWorker(platform, env.MANUAL);
    await worker.take(AbortSignal.timeout(200)).catch(() => null);
    assert.equal((await deploying).state, 'succeeded');
    return worker.environment['PLATFORM_API_KEY']!;
  };
  const [one, two] = [await keyOf('one'), await keyOf('two')];
  const accepts = async (key: string) => {
    const authorization = `Bearer ${key}`;
    return (await platform.request('POST', '/graphql', { query: '{ __typename }' }, { authorization }))
      .status;
  };
  assert.equal(await accepts(one), 200);
  await deleteEnvironment('keys', 'one');
  assert.equal(await accepts(one), 401);
  assert.equal(await accepts(two), 200);
  await deleteApp('keys');
  assert.equal(await accepts(two), 401);
});

test('creations and removals survive a restart', async () => {
  await createApp('kept');
  await createEnvironment('kept', 'staging');
  await createApp('dropped');
  await deleteApp('dropped');
  const before = await apps();
  assert.deepEqual(before['kept'], ['staging']);
  await platform.kill();
  platform = await home.start();
  assert.deepEqual(await apps(), before);
});
