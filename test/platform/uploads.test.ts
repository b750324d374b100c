import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartRef } from '../../runtime/contract/deployment.ts';
import { endpointSpec, GraphqlError, TestHome, type TestPlatform, until } from './harness.ts';

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

test('takes a part whole, and then has it', async () => {
  const bytes = randomBytes(100_000);
  const part = partOf(bytes);
  const { url, missing } = await platform.prepare(part);
  assert.ok(missing && url);
  assert.equal((await put(url, bytes)).status, 201);
  assert.deepEqual(await platform.prepare(part), { content: part.content, missing: false, url: null });
});

test('goes on where an upload was cut, and tells where that is', async () => {
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

test('refuses bytes of another hash and keeps none of them', async () => {
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

test('refuses a ticket that was changed', async () => {
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
    manifest: (await import('../../runtime/contract/manifest.ts')).encodeManifest([endpointSpec('one')]),
    parts: [{ ...part, role: 'code' }],
    secrets: {},
    allowRemovals: false,
  };
  const deploy = platform.graphql('mutation($input: DeployInput!) { deploy(input: $input) { id } }', {
    input,
  });
  await assert.rejects(deploy, (error) => error instanceof GraphqlError && error.code === 'PART_MISSING');
});

test('clients that go away in mid-body are no fault in the log, and their uploads go on', async () => {
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
  await until('the upload is let go', async () => {
    const offset = Number(await offsetOf(url!));
    return offset > 0 && (await put(url!, bytes.subarray(offset), offset, bytes.length)).status === 201;
  });
  const log = readFileSync(path.join(home.folder, 'platform/platform.log'), 'utf8');
  assert.ok(!log.includes('unexpected error'), log);
});
