import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  buildSchema,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql';
import { STATE_MANAGER_SCHEMA } from '../../runtime/contract/stateManager.ts';
import {
  type Answer,
  endpointSpec,
  GraphqlError,
  loadBalancedSpec,
  TestHome,
  type TestPlatform,
} from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;
let queue: string;
let web: string;

before(async () => {
  platform = await home.start();
  await platform.deploy({ endpoints: [endpointSpec('one'), endpointSpec('two'), loadBalancedSpec('web')] });
  queue = (await platform.endpoint('one')).url;
  web = (await platform.endpoint('web')).url;
});
after(() => home.clean());

interface Case {
  title: string;
  method?: string;
  target: () => string;
  authorization?: () => string | undefined;
  headers?: Record<string, string>;
  status: number;
  code?: string;
}

function check({ title, method = 'GET', target, authorization, headers = {}, status, code }: Case): void {
  test(title, async () => {
    const given = authorization ? authorization() : `Bearer ${platform.key}`;
    const answer = await send(method, target(), {
      ...headers,
      ...(given === undefined ? {} : { authorization: given }),
    });
    assert.equal(answer.status, status);
    if (code === undefined) return;
    assert.equal(answer.body['code'], code);
    assert.equal(typeof answer.body['error'], 'string');
    assert.ok('hint' in answer.body);
  });
}

/** fetch does not allow setting the Host header. */
function send(
  method: string,
  target: string,
  headers: Record<string, string>,
): Promise<Pick<Answer, 'status' | 'body'>> {
  return new Promise((resolve, reject) => {
    const outgoing = request(target, { method, headers }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      resolve({ status: answer.statusCode ?? 0, body: text === '' ? {} : JSON.parse(text) });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const health = () => `${queue}/health`;
const route = () => `${web}/info`;
const none = () => undefined;
const wrong = () => 'Bearer wrong';

check({
  title: 'identifies itself without a key',
  target: () => `${platform.url}/`,
  authorization: none,
  status: 200,
});
check({ title: 'accepts a key as a bearer token', target: health, status: 200 });
check({
  title: 'accepts a key without Bearer',
  target: health,
  authorization: () => platform.key,
  status: 200,
});
check({
  title: 'returns 401 without a key',
  target: health,
  authorization: none,
  status: 401,
  code: 'UNAUTHORIZED',
});
check({
  title: 'returns 401 for a wrong key',
  target: health,
  authorization: wrong,
  status: 401,
  code: 'KEY_REJECTED',
});
check({
  title: 'returns 401 before it reveals whether an endpoint exists',
  target: () => `${platform.url}/v2/nothing/health`,
  authorization: none,
  status: 401,
});
check({
  title: 'returns 404 for an unknown endpoint',
  target: () => `${platform.url}/v2/nothing/health`,
  status: 404,
  code: 'ENDPOINT_NOT_FOUND',
});
check({
  title: 'returns 404 for an unknown job',
  target: () => `${queue}/status/nothing`,
  status: 404,
  code: 'NOT_FOUND',
});
check({
  title: 'returns 404 for an unknown path',
  target: () => `${platform.url}/nothing`,
  status: 404,
  code: 'NOT_FOUND',
});
check({
  title: 'requires a key at the gateway',
  target: route,
  authorization: none,
  status: 401,
  code: 'UNAUTHORIZED',
});
check({
  title: 'refuses a wrong key at the gateway',
  target: route,
  authorization: wrong,
  status: 401,
  code: 'KEY_REJECTED',
});
check({
  title: 'refuses a foreign Host',
  target: health,
  headers: { host: 'evil.example' },
  status: 403,
  code: 'FORBIDDEN',
});
check({
  title: 'refuses a foreign Origin',
  target: health,
  headers: { origin: 'https://evil.example' },
  status: 403,
  code: 'FORBIDDEN',
});
check({
  title: 'refuses a foreign Host at the gateway',
  target: route,
  headers: { host: 'evil.example' },
  status: 403,
  code: 'FORBIDDEN',
});
check({ title: 'accepts localhost as Host', target: health, headers: { host: 'localhost:1' }, status: 200 });
check({
  title: 'refuses the owner key on worker routes',
  target: () => `${queue}/job-take/somebody`,
  status: 401,
  code: 'UNAUTHORIZED',
});
check({
  title: 'refuses a queue route on a load-balanced endpoint',
  method: 'POST',
  target: () => `${web}/v2/x/run`,
  status: 400,
  code: 'BAD_REQUEST',
});
check({
  title: 'refuses other routes on a queue-based endpoint',
  target: () => `${queue}/info`,
  status: 400,
  code: 'BAD_REQUEST',
});
check({
  title: 'reserves /ping',
  method: 'POST',
  target: () => `${web}/ping`,
  status: 400,
  code: 'BAD_REQUEST',
});

test('refuses run on the main port for a load-balanced endpoint', async () => {
  const { id } = await platform.endpoint('web');
  const answer = await platform.request('POST', `/v2/${id}/run`, { input: {} });
  assert.equal(answer.status, 400);
  assert.match(String(answer.body['error']), /^not allowed/);
});

test('limits keys to their scopes', async () => {
  const create =
    'mutation($scope: String!, $endpoints: [String!]) { createKey(scope: $scope, endpoints: $endpoints) { id key } }';
  const key = async (scope: string, endpoints: string[] | null = null) =>
    (await platform.graphql<{ createKey: { id: string; key: string } }>(create, { scope, endpoints }))
      .createKey;
  const deploy = await key('deploy');
  const invoke = await key('invoke', ['one']);

  const listKeys = '{ keys { id scope endpoints } }';
  await assert.rejects(platform.graphql(listKeys, {}, deploy.key), forbidden);
  await assert.rejects(platform.graphql('{ apps { name } }', {}, invoke.key), forbidden);
  assert.equal(
    (await platform.graphql<{ apps: object[] }>('{ apps { name } }', {}, deploy.key)).apps.length,
    1,
  );

  const call = (target: string) =>
    platform.request('GET', `${target}/health`, undefined, { authorization: `Bearer ${invoke.key}` });
  assert.equal((await call(queue)).status, 200);
  assert.equal((await call((await platform.endpoint('two')).url)).status, 401);

  const lookup =
    'query($name: String!) { endpoint(app: "shop", environment: "production", name: $name) { id } }';
  const looked = await platform.graphql<{ endpoint: object | null }>(lookup, { name: 'two' }, invoke.key);
  assert.equal(looked.endpoint, null);

  await platform.graphql('mutation($id: ID!) { revokeKey(id: $id) }', { id: invoke.id });
  assert.equal((await call(queue)).status, 401);
  const { keys } = await platform.graphql<{ keys: { scope: string }[] }>(listKeys);
  assert.deepEqual(keys.map(({ scope }) => scope).toSorted(), ['deploy', 'owner']);
});

test('a key that can only invoke can look up its account and an endpoint, and nothing else', async () => {
  const schema = buildSchema(STATE_MANAGER_SCHEMA);
  const create = 'mutation { createKey(scope: "invoke") { id key } }';
  const { createKey } = await platform.graphql<{ createKey: { id: string; key: string } }>(create);
  for (const [kind, type] of [
    ['query', schema.getQueryType()!],
    ['mutation', schema.getMutationType()!],
  ] as const)
    for (const { name, args, type: returned } of Object.values(type.getFields())) {
      if (name === 'account' || name === 'endpoint') continue;
      const given = args.map((one) => `${one.name}: ${literalOf(one.type)}`).join(', ');
      const fields = isLeafType(getNamedType(returned)) ? '' : ' { __typename }';
      const text = `${kind} { ${name}${given && `(${given})`}${fields} }`;
      await assert.rejects(platform.graphql(text, {}, createKey.key), forbidden, text);
    }
  await platform.graphql('mutation($id: ID!) { revokeKey(id: $id) }', { id: createKey.id });
});

/** A value of a type, as GraphQL writes it. */
function literalOf(type: GraphQLInputType): string {
  const bare = getNullableType(type);
  if (isListType(bare)) return '[]';
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields());
    return `{ ${fields.map((one) => `${one.name}: ${literalOf(one.type)}`).join(', ')} }`;
  }
  return { Int: '0', Float: '0', Boolean: 'false', JSON: '{}' }[bare.name] ?? '"x"';
}

test('no key can block the platform with a query: a long one is refused unread', async () => {
  const create = 'mutation { createKey(scope: "invoke") { id key } }';
  const { createKey } = await platform.graphql<{ createKey: { id: string; key: string } }>(create);
  const headers = { authorization: `Bearer ${createKey.key}` };
  // Validating this query would compare pairs of fields for minutes.
  const repeated = `{ ${'a: account { name } '.repeat(300_000)} }`;
  const nested = `${'{ a'.repeat(50_000)}`;
  for (const query of [repeated, nested]) {
    const { status, body } = await platform.request('POST', '/graphql', { query }, headers);
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), /more than 4000 characters/);
  }
  const deepest = { query: `${'{a'.repeat(1_300)}${'}'.repeat(1_300)}` };
  const { body } = await platform.request('POST', '/graphql', deepest, headers);
  assert.doesNotMatch(JSON.stringify(body), /INTERNAL/);
  await platform.graphql('mutation($id: ID!) { revokeKey(id: $id) }', { id: createKey.id });
});

test('gives workers a key that can only look up and invoke endpoints of their environment', async () => {
  const job = await platform.request('POST', `${queue}/runsync`, { input: {} });
  assert.ok(JSON.stringify(job.body['output']!['variables']).includes('PLATFORM_API_KEY'));
  await platform.deploy({ app: 'other', endpoints: [endpointSpec('elsewhere', { workersMax: 0 })] });
  const { keys } = await platform.graphql<{ keys: object[] }>('{ keys { id } }');
  assert.equal(keys.length, 2);
});

test('shows credentials, the record and the log only to their owner, and writes no key into the log', () => {
  for (const file of ['credentials.json', 'platform.json', 'platform/platform.log']) {
    assert.equal(statSync(path.join(home.folder, file)).mode & 0o777, 0o600, file);
  }
  const log = readFileSync(path.join(home.folder, 'platform/platform.log'), 'utf8');
  assert.ok(!log.includes(platform.key));
  const store = readFileSync(path.join(home.folder, 'platform/store.sqlite'), 'latin1');
  assert.ok(!store.includes(platform.key));
});

test('slows down wrong keys after ten in a minute, but never a correct or a missing one', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const answer = await platform.request('GET', health(), undefined, {
      authorization: `Bearer wrong-${index}`,
    });
    statuses.push(answer.status);
    if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) > 0);
  }
  assert.ok(statuses.includes(429));
  assert.equal(statuses.at(-1), 429);
  assert.equal((await platform.request('GET', health())).status, 200);
  assert.equal((await fetch(health())).status, 401);
});

function forbidden(error: unknown): boolean {
  return error instanceof GraphqlError && error.code === 'FORBIDDEN';
}
