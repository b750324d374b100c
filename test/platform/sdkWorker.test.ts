import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { functionSpec, TestHome, type TestPlatform, until } from './harness.ts';
import { codePart } from './sdkCode.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start();
});
after(() => home.clean());

const WORKING = `
from toolkit_sdk import Endpoint

@Endpoint(name="one", cpu="cpu5c-1-2")
def work(text: str, times: int = 2):
    """Repeats a text."""
    print("repeating", text)
    return {"text": text * times}
`;

test("the toolkit's own worker loads a deployed function and serves it", async () => {
  const deployed = await platform.deploy({ code: await codePart(WORKING), endpoints: [functionSpec('one')] });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  const { url, id } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { text: 'ab' } });
  assert.deepEqual(body['output'], { text: 'abab' }, JSON.stringify(body));

  const query =
    'query($id: ID!) { logs(endpoint: $id) { lines { time level worker request message } cursor } }';
  // What a function prints arrives through a pipe, sometimes after its result.
  await until('the line of the job', async () => {
    const { logs } = await platform.graphql<{ logs: { lines: Record<string, string>[] } }>(query, { id });
    const line = logs.lines.find(({ message }) => message === 'repeating ab');
    return line !== undefined && line['request'] === String(body['id']);
  });
});

test('a function that cannot be loaded fails the deploy with the reason and the last lines', async () => {
  const broken = `import nothing_of_this_name\n${WORKING}`;
  const failed = await platform.deploy({
    code: await codePart(broken),
    endpoints: [functionSpec('one', { fingerprint: { code: 'e'.repeat(64), dependencies: 'b'.repeat(64) } })],
  });
  assert.equal(failed.error?.code, 'ROLLOUT_FAILED', JSON.stringify(failed));
  assert.match(JSON.stringify(failed.steps), /nothing_of_this_name/);
  const { url } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { text: 'a' } });
  assert.deepEqual(body['output'], { text: 'aa' });
});

test("a function finds neither the owner's key nor files that a job of another build has written", async () => {
  const looking = `
import os
from pathlib import Path

def work(home: str):
    found = [os.path.exists(os.path.join(home, name)) for name in ("credentials.json", "platform/agent.sock")]
    left = os.path.exists("left.txt")
    Path("left.txt").write_text("by a job")
    return [*found, left]
`;
  const ask = async (fingerprint: string): Promise<unknown> => {
    const code = fingerprint.repeat(64);
    const spec = functionSpec('one', { fingerprint: { code, dependencies: 'b'.repeat(64) } });
    const deployed = await platform.deploy({ code: await codePart(looking), endpoints: [spec] });
    assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
    const { url } = await platform.endpoint('one');
    const { body } = await platform.request('POST', `${url}/runsync`, { input: { home: home.folder } });
    return body['output'];
  };
  assert.ok(existsSync(path.join(home.folder, 'credentials.json')));
  assert.deepEqual(await ask('1'), [false, false, false]);
  assert.deepEqual(await ask('2'), [false, false, false]);
});

test('a job whose process is killed each time fails with the signal, the memory and its last lines', async () => {
  const killing = `
import os, signal

def work():
    print("about to end")
    os.kill(os.getpid(), signal.SIGKILL)
`;
  const spec = functionSpec('one', { fingerprint: { code: 'd'.repeat(64), dependencies: 'b'.repeat(64) } });
  await platform.deploy({ code: await codePart(killing), endpoints: [spec] });
  const { url } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  assert.deepEqual([body['status'], body['retries']], ['FAILED', 3]);
  const error = JSON.parse(String(body['error'])) as Record<string, string>;
  assert.equal(error['error_type'], 'WorkerLost');
  assert.match(
    error['error_message']!,
    /^worker lost: SIGKILL \(9\) while the function ran, \d+ MB in use, 3 retries$/,
  );
  assert.match(error['error_traceback']!, /about to end$/);
  assert.equal(error['worker_id'], body['workerId']);
});

test('progress is the output of a running job, and the result replaces it', async () => {
  const training = `
from toolkit_sdk import progress

def work(pipe):
    for step in range(1000):
        progress({"step": step})
    open(pipe).read()
    return "trained"
`;
  const pipe = path.join(home.shared, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const spec = functionSpec('one', { fingerprint: { code: 'f'.repeat(64), dependencies: 'b'.repeat(64) } });
  const deployed = await platform.deploy({ code: await codePart(training), endpoints: [spec] });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  const { url } = await platform.endpoint('one');
  const { body: queued } = await platform.request('POST', `${url}/run`, { input: { pipe } });
  const shown = async () => {
    const { body } = await platform.request('GET', `${url}/status/${String(queued['id'])}`);
    return JSON.stringify([body['status'], body['output']]);
  };
  await until('the last value', async () => (await shown()) === '["IN_PROGRESS",{"step":999}]');
  await writeFile(pipe, '');
  await until('the end', async () => (await shown()) === '["COMPLETED","trained"]');
});
