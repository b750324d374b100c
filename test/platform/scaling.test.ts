import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpointSpec, loadBalancedSpec, TestHome, type TestPlatform, until } from './harness.ts';
import { deployManual } from './manualWorker.ts';
import { packPart } from './sdkCode.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start();
  await platform.deploy({
    endpoints: [
      endpointSpec('wide', { workersMax: 3, idleTimeout: 1 }),
      endpointSpec('kept', { workersMin: 1, workersMax: 2, idleTimeout: 0 }),
      endpointSpec('paused', { workersMax: 0 }),
    ],
  });
});
after(() => home.clean());

async function workers(name: string): Promise<number> {
  const { idle, initializing, running, unhealthy } = (await platform.endpoint(name)).workers;
  return idle + initializing + running + unhealthy;
}

test('grows with the waiting jobs up to the maximum, and shrinks to zero after idle_timeout', async () => {
  const { url } = await platform.endpoint('wide');
  const jobs = Promise.all(
    Array.from({ length: 6 }, () => platform.request('POST', `${url}/runsync`, { input: { sleep: 1.5 } })),
  );
  await until('three workers run', async () => (await platform.endpoint('wide')).workers.running === 3);
  const answers = await jobs;
  assert.deepEqual(new Set(answers.map(({ body }) => body['output']!['worker'])).size, 3);
  await until('none is left', async () => (await workers('wide')) === 0);
});

test('a worker with short jobs does not count as idle, however rarely it is seen running one', async () => {
  const short = endpointSpec('short', { idleTimeout: 4, workersMax: 1 });
  await platform.deploy({ app: 'short', endpoints: [short] });
  const { url } = (await platform.endpoints('short'))[0]!;
  const served = new Set<string>();
  for (let count = 0; count < 60; count += 1) {
    const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
    served.add(String(body['workerId']));
    await sleep(150);
  }
  assert.equal(served.size, 1);
});

test('a worker that a waiting job needs is not stopped between two jobs, even without idle_timeout', async () => {
  const spec = endpointSpec('hasty', { idleTimeout: 0, workersMin: 1, workersMax: 1, env: { MANUAL: '1' } });
  const [worker] = await deployManual(platform, { app: 'hasty', endpoints: [spec] });
  const { url } = (await platform.endpoints('hasty'))[0]!;
  for (const input of [1, 2]) await platform.request('POST', `${url}/run`, { input: { input } });
  await platform.deploy({ app: 'hasty', endpoints: [{ ...spec, workersMin: 0 }] });
  for (const input of [1, 2]) {
    const { status, body } = await worker!.take();
    assert.equal(status, 200);
    assert.deepEqual(body['input'], { input });
    await worker!.done(String(body['id']), { output: null });
    // Longer than the interval of the autoscaler.
    if (input === 1) await sleep(1_000);
  }
});

test('never goes below the minimum', async () => {
  await until('one is there', async () => (await workers('kept')) === 1);
  const { url } = await platform.endpoint('kept');
  await Promise.all(
    [1, 2, 3].map(() => platform.request('POST', `${url}/runsync`, { input: { sleep: 0.5 } })),
  );
  await until('one is left', async () => (await workers('kept')) === 1);
});

test('jobs of low priority start the first worker but no more', async () => {
  const { url } = await platform.endpoint('wide');
  await until('none is left', async () => (await workers('wide')) === 0);
  const body = { input: { sleep: 1 }, policy: { lowPriority: true } };
  const answers = Promise.all([1, 2, 3].map(() => platform.request('POST', `${url}/runsync`, body)));
  const seen: number[] = [];
  await until('all have ended', async () => {
    seen.push(await workers('wide'));
    return (await platform.endpoint('wide')).jobs.completed === 9;
  });
  const ran = new Set((await answers).map(({ body: job }) => String(job['output']!['worker'])));
  assert.deepEqual([ran.size, Math.max(...seen)], [1, 1]);
});

test('a paused endpoint keeps its jobs and starts no worker', async () => {
  const { url } = await platform.endpoint('paused');
  const { body } = await platform.request('POST', `${url}/runsync?wait=1000`, { input: {} });
  assert.equal(body['status'], 'IN_QUEUE');
  assert.equal(await workers('paused'), 0);
});

/** Notes each of its starts, and fails while a file exists. */
const SOMETIMES_FAILING = `
import http.server, os, sys, time

class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

with open(os.environ["STARTS"], "a") as starts:
    starts.write(f"{os.getpid()} {time.time()}\\n")
if os.path.exists(os.environ["FAILS"]):
    sys.exit(1)
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Answer).serve_forever()
`;

test('a worker that cannot start is started again after 1, 2, 4 … s, until one starts', async () => {
  const [STARTS, FAILS] = ['starts', 'fails'].map((name) => path.join(home.shared, name)) as [string, string];
  const starts = () => {
    const lines = existsSync(STARTS) ? readFileSync(STARTS, 'utf8').split('\n').slice(0, -1) : [];
    return lines.map((line) => line.split(' ').map(Number) as [pid: number, seconds: number]);
  };
  const started = (count: number) => until(`start ${count}`, () => starts().length === count);
  const isReady = () =>
    until('the worker is ready', async () => (await platform.endpoints('failing'))[0]!.workers.idle === 1);
  const env = { STARTS, FAILS };
  const command = ['python3', 'main.py'];
  await platform.deploy({
    app: 'failing',
    code: await packPart({ 'main.py': SOMETIMES_FAILING }),
    endpoints: [loadBalancedSpec('failing', { workersMin: 1, workersMax: 1, env, command })],
  });
  await isReady();
  const fail = () => {
    writeFileSync(FAILS, '');
    process.kill(starts().at(-1)![0], 'SIGKILL');
  };
  fail();
  await started(4);
  rmSync(FAILS);
  await started(5);
  await isReady();
  fail();
  await started(7);
  const times = starts().map(([, seconds]) => seconds);
  const waits = times.slice(1).map((seconds, index) => seconds - times[index]!);
  assert.ok(waits[1]! >= 1 && waits[2]! >= 2 && waits[3]! >= 4, String(waits));
  assert.ok(waits[5]! >= 1 && waits[5]! < waits[3]!, String(waits));
});
