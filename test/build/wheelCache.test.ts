/** Fetches wheels over real HTTP: resumed, retried, verified, and never left half written. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fetchWheels } from '../../runtime/build/dependencies/wheelCache.ts';
import type { ProgressEvent } from '../../runtime/contract/progress.ts';
import { scratch } from './scratch.ts';

const BYTES = Buffer.alloc(300_000, 'wheel');
const SHA256 = hash('sha256', BYTES);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that sends the given responses in order, and then the last one forever. */
async function serve(
  t: TestContext,
  answers: Answer[],
): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)]!;
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/demo-1.0-py3-none-any.whl`,
    requests,
  };
}

const whole: Answer = (request, response) => {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': BYTES.length - from });
  response.end(BYTES.subarray(from));
};

const cutOff: Answer = (_request, response) => {
  response.writeHead(200, { 'content-length': BYTES.length });
  response.write(BYTES.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 50));
};

const status =
  (code: number): Answer =>
  (_request, response) => {
    response.writeHead(code).end();
  };

function fetchFrom(
  url: string,
  home: string,
  options: {
    sha256?: string;
    signal?: AbortSignal;
    events?: ProgressEvent[];
    authorize?: (url: URL) => Promise<string | undefined>;
  } = {},
) {
  const locked = {
    name: 'demo',
    version: '1.0',
    url,
    sha256: options.sha256 ?? SHA256,
    size: null,
    isSource: false,
    dependencies: [],
  };
  return fetchWheels([locked], {
    toolkitHome: home,
    network: () =>
      Promise.resolve({
        authorize: options.authorize ?? (() => Promise.resolve(undefined)),
        close: () => {},
      }),
    build: () => Promise.reject(new Error('nothing is built here')),
    onSize: () => {},
    signal: options.signal ?? new AbortController().signal,
    report: (event) => options.events?.push(event),
  });
}

/** The pid of a process that has ended. */
function endedProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

function cached(home: string): string[] {
  return readdirSync(path.join(home, 'cache/wheels'));
}

/** The files below a folder that this process has open. */
function openFilesIn(folder: string): string[] {
  const opened = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The descriptor of this very list.
      return [];
    }
  });
  return opened.filter((file) => file.startsWith(folder));
}

test('keeps a wheel under its hash, reports its bytes, and does not fetch it again', async (t) => {
  const server = await serve(t, [whole]);
  const home = scratch();
  const events: ProgressEvent[] = [];
  const [wheel] = await fetchFrom(server.url, home, { events });
  assert.ok(readFileSync(wheel!.path).equals(BYTES));
  assert.deepEqual(cached(home), [`${SHA256}.whl`]);
  assert.deepEqual(events.at(-1), {
    type: 'bytes',
    label: 'Downloading 1 wheel',
    done: BYTES.length,
    total: BYTES.length,
  });
  await fetchFrom(server.url, home);
  assert.equal(server.requests.length, 1);
  assert.deepEqual(openFilesIn(home), []);
});

test('resumes where the connection broke', async (t) => {
  const server = await serve(t, [cutOff, whole]);
  const home = scratch();
  const [wheel] = await fetchFrom(server.url, home);
  assert.ok(readFileSync(wheel!.path).equals(BYTES));
  assert.match(server.requests[1]!.headers.range ?? '', /^bytes=\d+-$/);
});

test('resumes where an interrupted build stopped', async (t) => {
  const server = await serve(t, [whole]);
  const home = scratch();
  const folder = path.join(home, 'cache/wheels');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${SHA256}.whl.${endedProcess()}.part`), BYTES.subarray(0, 1000));
  await fetchFrom(server.url, home);
  assert.equal(server.requests[0]!.headers.range, 'bytes=1000-');
  assert.deepEqual(cached(home), [`${SHA256}.whl`]);
});

test('fetches the whole wheel when an interrupted build left wrong bytes', async (t) => {
  const server = await serve(t, [whole]);
  const home = scratch();
  const folder = path.join(home, 'cache/wheels');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${SHA256}.whl.${endedProcess()}.part`), Buffer.alloc(1000));
  const [wheel] = await fetchFrom(server.url, home);
  assert.ok(readFileSync(wheel!.path).equals(BYTES));
});

test('fetches the whole wheel when an interrupted build left wrong bytes of the full length', async (t) => {
  // Nothing is left to send, as a server with ranges says.
  const server = await serve(t, [status(416), whole]);
  const home = scratch();
  const folder = path.join(home, 'cache/wheels');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${SHA256}.whl.${endedProcess()}.part`), Buffer.alloc(BYTES.length));
  const [wheel] = await fetchFrom(server.url, home);
  assert.ok(readFileSync(wheel!.path).equals(BYTES));
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.range),
    [`bytes=${BYTES.length}-`, undefined],
  );
});

test('does not touch a wheel that another build is fetching', async (t) => {
  const server = await serve(t, [whole]);
  const home = scratch();
  const folder = path.join(home, 'cache/wheels');
  mkdirSync(folder, { recursive: true });
  const theirs = `${SHA256}.whl.${process.ppid}.part`;
  writeFileSync(path.join(folder, theirs), BYTES.subarray(0, 1000));
  const [wheel] = await fetchFrom(server.url, home);
  assert.ok(readFileSync(wheel!.path).equals(BYTES));
  assert.deepEqual(cached(home), [`${SHA256}.whl`, theirs]);
  assert.equal(readFileSync(path.join(folder, theirs)).length, 1000);
});

for (const [what, damage] of [
  ['damaged', (bytes: Buffer) => bytes.fill('x', 1000, 1004)],
  ['cut off', (bytes: Buffer) => bytes.subarray(0, 1000)],
] as const) {
  test(`fetches a wheel again that was ${what} in the cache`, async (t) => {
    const server = await serve(t, [whole]);
    const home = scratch();
    const [wheel] = await fetchFrom(server.url, home);
    writeFileSync(wheel!.path, damage(Buffer.from(BYTES)));
    const [again] = await fetchFrom(server.url, home);
    assert.ok(readFileSync(again!.path).equals(BYTES));
  });
}

test('names a folder in the place of a cached wheel', async (t) => {
  const server = await serve(t, [whole]);
  const home = scratch();
  const place = path.join(home, 'cache/wheels', `${SHA256}.whl`);
  mkdirSync(place, { recursive: true });
  await assert.rejects(fetchFrom(server.url, home), {
    code: 'NOT_WRITABLE',
    message: `${place} cannot be written: it is a folder.`,
  });
});

test('retries three times after a server error', async (t) => {
  const server = await serve(t, [status(503), status(500), status(429), whole]);
  const [wheel] = await fetchFrom(server.url, scratch());
  assert.equal(wheel!.bytes, BYTES.length);
});

test('reports at once that a wheel no longer exists', async (t) => {
  const server = await serve(t, [status(404)]);
  await assert.rejects(fetchFrom(server.url, scratch()), {
    code: 'DOWNLOAD_FAILED',
    message:
      /^The wheel of demo 1\.0 could not be downloaded from 127\.0\.0\.1:\d+: the server returned 404\.$/,
    hint: 'If the file was removed from the server, update the lock with "toolkit build --upgrade".',
  });
  assert.equal(server.requests.length, 1);
});

test('refuses bytes with another hash and discards them', async (t) => {
  const server = await serve(t, [whole]);
  const home = scratch();
  await assert.rejects(fetchFrom(server.url, home, { sha256: hash('sha256', 'other') }), {
    code: 'DOWNLOAD_FAILED',
    message: /is not the locked file: its sha256 does not match/,
  });
  assert.deepEqual(cached(home), []);
});

test('sends credentials only to the origin they are for', async (t) => {
  const server = await serve(t, [whole]);
  const { origin } = new URL(server.url);
  const authorize = (url: URL) => Promise.resolve(url.origin === origin ? 'Basic abc' : undefined);
  await fetchFrom(server.url, scratch(), { authorize });
  assert.equal(server.requests[0]!.headers.authorization, 'Basic abc');
});

test('stops when interrupted', async (t) => {
  const controller = new AbortController();
  const server = await serve(t, [
    (_request, response) => {
      response.writeHead(200, { 'content-length': BYTES.length });
      response.write(BYTES.subarray(0, 1000), () => controller.abort());
    },
  ]);
  await assert.rejects(fetchFrom(server.url, scratch(), { signal: controller.signal }), {
    name: 'AbortError',
  });
});

test('takes a wheel from a folder', async () => {
  const links = scratch();
  writeFileSync(path.join(links, 'demo.whl'), BYTES);
  const [wheel] = await fetchFrom(`file://${links}/demo.whl`, scratch());
  assert.ok(readFileSync(wheel!.path).equals(BYTES));
});

test('names a local wheel that no longer exists, and how to fix the lock', async () => {
  const links = scratch();
  await assert.rejects(fetchFrom(`file://${links}/demo.whl`, scratch()), {
    code: 'DOWNLOAD_FAILED',
    message: `The wheel of demo 1.0 cannot be read: ${links}/demo.whl does not exist.`,
    hint: 'Put the file back, or update the lock with "toolkit build --upgrade".',
  });
});

test('says in words that a host name cannot be resolved', async () => {
  await assert.rejects(fetchFrom('http://packages.invalid/demo.whl', scratch()), {
    code: 'DOWNLOAD_FAILED',
    message:
      'The wheel of demo 1.0 could not be downloaded from packages.invalid: the host name cannot be resolved.',
  });
});
