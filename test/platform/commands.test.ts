import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpointSpec, isAlive, TestHome, type TestPlatform, until } from './harness.ts';
import { codePart } from './sdkCode.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start();
});
after(() => home.clean());

const COMMAND = { command: ['python3', 'main.py'], handler: null, functions: [], workersMax: 1 };

/** A worker script of a third party: it knows the protocol's variables and nothing of this toolkit. */
const TAKER = `
import json, os, time, urllib.request

def call(url, body=None):
    request = urllib.request.Request(url, data=body, headers={"Authorization": os.environ["RUNPOD_AI_API_KEY"]})
    with urllib.request.urlopen(request, timeout=100) as answer:
        text = answer.read()
        return json.loads(text) if text else None

worker = os.environ["RUNPOD_POD_ID"]
take = os.environ["RUNPOD_WEBHOOK_GET_JOB"].replace("$ID", worker)
while True:
    job = call(take + "&job_in_progress=0")
    if job is None:
        continue
    if job["input"].get("sleep"):
        time.sleep(job["input"]["sleep"])
    if job["input"].get("exit"):
        os._exit(5)
    output = {"echo": job["input"], "mode": os.environ.get("MODE"), "pid": os.getpid()}
    done = os.environ["RUNPOD_WEBHOOK_POST_OUTPUT"].replace("$RUNPOD_POD_ID", worker).replace("$ID", job["id"])
    call(done + "&isStream=false", json.dumps({"output": output}).encode())
`;

const LISTENER = `
import http.server, json, os

class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"path": self.path, "pid": os.getpid()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Answer).serve_forever()
`;

test('a queue command counts as started at its first take, and serves jobs with the endpoint’s variables', async () => {
  const spec = endpointSpec('taker', { ...COMMAND, env: { MODE: 'fast' } });
  const deployed = await platform.deploy({ app: 'queue', code: await codePart(TAKER), endpoints: [spec] });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  const { url } = (await platform.endpoints('queue'))[0]!;
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { a: 1 } });
  assert.equal(body['status'], 'COMPLETED', JSON.stringify(body));
  assert.deepEqual(body['output']!['echo'], { a: 1 });
  assert.equal(body['output']!['mode'], 'fast');

  const poison = await platform.request('POST', `${url}/runsync?wait=120000`, { input: { exit: true } });
  assert.equal(poison.body['status'], 'FAILED', JSON.stringify(poison.body));
  const next = await platform.request('POST', `${url}/runsync`, { input: {} });
  assert.equal(next.body['status'], 'COMPLETED');
  assert.notEqual(next.body['output']!['pid'], body['output']!['pid']);
  const endpoints = [{ ...spec, workersMax: 0 }];
  await platform.deploy({ app: 'queue', code: await codePart(TAKER), endpoints });
  await until('the command has ended', () => !isAlive(Number(next.body['output']!['pid'])));
});

test('a load-balanced command counts as started when its PORT responds to /ping, and gets requests unchanged', async () => {
  const spec = endpointSpec('listener', { ...COMMAND, kind: 'load-balanced' });
  const deployed = await platform.deploy({ app: 'web', code: await codePart(LISTENER), endpoints: [spec] });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  const { url } = (await platform.endpoints('web'))[0]!;
  const { status, body } = await platform.request('GET', `${url}/any/path?x=1`);
  assert.deepEqual([status, body['path']], [200, '/any/path?x=1']);
});

for (const [what, command, reason] of [
  ['does not exist', ['no-such-program'], /no-such-program/],
  ['ends at once', ['python3', '-c', 'print("why it ended"); raise SystemExit(4)'], /why it ended/],
] as const) {
  test(`a command that ${what} fails the deploy with the reason`, async () => {
    const spec = endpointSpec('broken', { ...COMMAND, command: [...command] });
    const failed = await platform.deploy({ app: 'broken', code: await codePart(TAKER), endpoints: [spec] });
    assert.equal(failed.error?.code, 'ROLLOUT_FAILED', JSON.stringify(failed));
    assert.match(JSON.stringify(failed.steps), reason);
    assert.deepEqual(await platform.endpoints('broken'), []);
  });
}

test('a command that continues with a cancelled job is replaced after a grace period', async () => {
  await platform.deploy({
    app: 'blocked',
    code: await codePart(TAKER),
    endpoints: [endpointSpec('blocked', COMMAND)],
  });
  const { url } = (await platform.endpoints('blocked'))[0]!;
  const { body } = await platform.request('POST', `${url}/run`, { input: { sleep: 600 } });
  const id = String(body['id']);
  await until('the job runs', async () => {
    const now = await platform.request('GET', `${url}/status/${id}`);
    return String(now.body['status']) === 'IN_PROGRESS';
  });
  await platform.request('POST', `${url}/cancel/${id}`);
  const next = await platform.request('POST', `${url}/runsync?wait=60000`, { input: {} });
  assert.equal(next.body['status'], 'COMPLETED', JSON.stringify(next.body));
});
