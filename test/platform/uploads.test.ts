import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartRef } from '../../runtime/contract/deployment.ts';
import { encodeManifest } from '../../runtime/contract/manifest.ts';
import { endpointSpec, GraphqlError, TestHome, type TestPlatform, until } from './harness.ts';
import { foreignPart } from './sdkCode.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start();
});
after(() => home.clean());

function partOf(bytes: Buffer): PartRef {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const content = createHash('sha256').update('identity').update(bytes).digest('hex');
  return { role: 'dependencies', content, sha256, size: bytes.length, dependencySet: 'all' };
}

async function put(url: string, bytes: Buffer, start?: number, size?: number) {
  const range =
    start === undefined ? {} : { 'content-range': `bytes ${start}-${start + bytes.length - 1}/${size}` };
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers: range });
  return { status: answer.status, offset: answer.headers.get('upload-offset'), text: await answer.text() };
}

const offsetOf = async (url: string) => (await fetch(url, { method: 'HEAD' })).headers.get('upload-offset');

test('accepts a whole part and then has it', async () => {
  const bytes = randomBytes(100_000);
  const part = partOf(bytes);
  const { url, missing } = await platform.prepare(part);
  assert.ok(missing && url);
  assert.equal((await put(url, bytes)).status, 201);
  assert.deepEqual(await platform.prepare(part), { content: part.content, missing: false, url: null });
});

test('still has a part after a restart', async (t) => {
  const home = new TestHome();
  t.after(() => home.clean());
  const bytes = randomBytes(1_000);
  const first = await home.start();
  const { url } = await first.prepare(partOf(bytes));
  await put(url!, bytes);
  await first.stop();
  const second = await home.start();
  assert.equal((await second.prepare(partOf(bytes))).missing, false);
});

test('resumes an interrupted upload, and reports from where', async () => {
  const bytes = randomBytes(100_000);
  const part = partOf(bytes);
  const { url } = await platform.prepare(part);
  assert.equal(await offsetOf(url!), '0');
  const first = await put(url!, bytes.subarray(0, 60_000), 0, bytes.length);
  assert.deepEqual([first.status, first.offset], [202, '60000']);
  assert.equal(await offsetOf(url!), '60000');
  assert.equal((await platform.prepare(part)).missing, true);
  assert.equal((await put(url!, bytes.subarray(50_000), 50_000, bytes.length)).status, 409);
  const second = await put(url!, bytes.subarray(60_000), 60_000, bytes.length);
  assert.deepEqual([second.status, second.offset], [201, '100000']);
  assert.equal((await platform.prepare(part)).missing, false);
});

/** Sends the head of an upload and its first bytes, and leaves the connection open. */
async function beginUpload(url: string, part: PartRef, bytes: Buffer): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${part.size}\r\n\r\n`,
  );
  socket.write(bytes);
  await until('the upload is under way', async () => partials().includes(`${part.content}.partial`));
  return socket;
}

const partials = () =>
  readdirSync(path.join(home.folder, 'platform/parts')).filter((name) => name.endsWith('.partial'));

test('two simultaneous uploads of one part both succeed without waiting for each other', async () => {
  const bytes = randomBytes(100_000);
  const part = partOf(bytes);
  const { url } = await platform.prepare(part);
  const first = await beginUpload(url!, part, bytes.subarray(0, 60_000));
  assert.equal(await offsetOf(url!), '0');
  assert.equal((await put(url!, bytes)).status, 201);
  assert.equal((await platform.prepare(part)).missing, false);
  first.write(bytes.subarray(60_000));
  const [answer] = (await once(first, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 201 /);
  first.destroy();
  assert.deepEqual(partials(), []);
});

test('removes the bytes of an upload that nobody can resume', async () => {
  const bytes = randomBytes(1_000);
  const [old, fresh] = [partOf(bytes), partOf(randomBytes(1_000))];
  for (const part of [old, fresh]) {
    const { url } = await platform.prepare(part);
    assert.equal((await put(url!, bytes.subarray(0, 500), 0, part.size)).status, 202);
  }
  const hours = Date.now() / 1000 - 2 * 3600;
  utimesSync(path.join(home.folder, 'platform/parts', `${old.content}.partial`), hours, hours);
  await platform.stop();
  platform = await home.start();
  assert.deepEqual(partials(), [`${fresh.content}.partial`]);
});

test('refuses bytes with another hash and keeps none of them', async () => {
  const bytes = randomBytes(1_000);
  const part = partOf(bytes);
  const { url } = await platform.prepare(part);
  const answer = await put(url!, randomBytes(1_000));
  assert.equal(answer.status, 422);
  assert.match(answer.text, /UPLOAD_REJECTED/);
  assert.equal(await offsetOf(url!), '0');
  assert.ok(!existsSync(path.join(home.folder, 'platform/parts', part.content)));
  assert.equal((await put(url!, bytes)).status, 201);
});

test('refuses more bytes than announced', async () => {
  const bytes = randomBytes(1_000);
  const { url } = await platform.prepare(partOf(bytes));
  assert.equal((await put(url!, Buffer.concat([bytes, bytes]))).status, 422);
});

test('refuses a modified ticket', async () => {
  const bytes = randomBytes(1_000);
  const { url } = await platform.prepare(partOf(bytes));
  const forged = new URL(url!);
  forged.searchParams.set('size', '2000');
  assert.equal((await put(forged.href, randomBytes(2_000))).status, 401);
});

test('refuses a part of more than 1.5 GB before a byte is sent', async () => {
  const part = { ...partOf(Buffer.from('x')), size: 1_500_000_001 };
  await assert.rejects(
    platform.prepare(part),
    (error) => error instanceof GraphqlError && error.code === 'ARTIFACT_TOO_LARGE',
  );
});

test('refuses a deploy whose part was never uploaded', async () => {
  const part = partOf(randomBytes(10));
  const input = {
    app: 'shop',
    environment: 'production',
    manifest: encodeManifest([endpointSpec('one')]),
    parts: [{ ...part, role: 'code' }],
    secrets: {},
    allowRemovals: false,
  };
  const deploy = platform.graphql('mutation($input: DeployInput!) { deploy(input: $input) { id } }', {
    input,
  });
  await assert.rejects(deploy, (error) => error instanceof GraphqlError && error.code === 'PART_MISSING');
});

test('workers get a part as it is stored, even if a deploy packed equal content into other bytes', async () => {
  const code = await foreignPart('code of two machines');
  const content = createHash('sha256').update(code).digest('hex');
  const part: PartRef = { role: 'code', content, sha256: content, size: code.length, dependencySet: null };
  await platform.upload(part, code);
  const other = { ...part, sha256: 'e'.repeat(64), size: code.length + 7 };
  assert.equal((await platform.prepare(other)).missing, false);
  const input = {
    app: 'two-machines',
    environment: 'production',
    manifest: encodeManifest([endpointSpec('one')]),
    parts: [other],
    secrets: {},
    allowRemovals: false,
  };
  await platform.graphql('mutation($input: DeployInput!) { deploy(input: $input) { id } }', { input });
  await until('it is deployed', async () => (await platform.endpoints('two-machines')).length === 1);
  await platform.stop();
  const store = new DatabaseSync(path.join(home.folder, 'platform/store.sqlite'), { readOnly: true });
  const row = store.prepare("SELECT parts FROM endpoints WHERE app = 'two-machines'").get();
  store.close();
  platform = await home.start();
  assert.deepEqual(JSON.parse(String(row?.['parts'])), [part]);
});

test('a part that a deploy was promised is kept until that deploy, even if an environment is removed', async () => {
  const code = await foreignPart('code of two environments');
  const place = { app: 'promised', endpoints: [endpointSpec('one')], code };
  await platform.deploy({ ...place, environment: 'old' });
  const content = createHash('sha256').update(code).digest('hex');
  const part: PartRef = { role: 'code', content, sha256: content, size: code.length, dependencySet: null };
  assert.equal((await platform.prepare(part)).missing, false);
  const remove =
    'mutation($app: String!, $name: String!) { deleteEnvironment(app: $app, name: $name) { name } }';
  await platform.graphql(remove, { app: 'promised', name: 'old' });
  assert.equal((await platform.prepare(part)).missing, false);
  assert.equal((await platform.deploy({ ...place, environment: 'new' })).state, 'succeeded');
});

test('clients that disconnect during an upload log no fault, and their uploads can be resumed', async () => {
  const bytes = randomBytes(3_000_000);
  const { url } = await platform.prepare(partOf(bytes));
  const { hostname, port, pathname, search } = new URL(url!);
  for (const target of [`PUT ${pathname}${search}`, `POST /graphql`]) {
    const socket = connect(Number(port), hostname);
    const headers = `Host: ${hostname}\r\nAuthorization: ${platform.key}\r\nContent-Length: ${bytes.length}`;
    socket.write(`${target} HTTP/1.1\r\n${headers}\r\n\r\n`);
    socket.write(bytes.subarray(0, 1_000_000));
    await sleep(300);
    socket.destroy();
  }
  await until('the upload is released', async () => {
    const offset = Number(await offsetOf(url!));
    return offset > 0 && (await put(url!, bytes.subarray(offset), offset, bytes.length)).status === 201;
  });
  const log = readFileSync(path.join(home.folder, 'platform/platform.log'), 'utf8');
  assert.ok(!log.includes('unexpected error'), log);
});
