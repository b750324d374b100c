/** Calls without a simple response: asynchronous, timed out, interrupted. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { cleanEnvironment, cli, type Ran, workbench } from '../setup/toolkit.ts';

const worker = `from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(0, 1))


@api.get("/items/{item}")
def item(item: int):
    """One item."""
    return {"item": item}


@api.get("/broken")
def broken():
    """Fail in the middle of the response."""
    from fastapi.responses import StreamingResponse

    def parts():
        yield "begun"
        raise RuntimeError("no more")

    return StreamingResponse(parts())


@api.post("/items")
def add(name: str):
    """Add one."""
    return {"added": name}


@Endpoint(name="echo", cpu="cpu3c-1-2", workers=(0, 1))
def echo(value):
    """Answer what was given, and its type."""
    return [value, type(value).__name__]


@Endpoint(name="slow", cpu="cpu3c-1-2", workers=(0, 1))
def slow(seconds: float):
    """Sleep."""
    import time

    time.sleep(seconds)
    return seconds
`;

describe('toolkit call', () => {
  const bench = workbench({ after });
  let project: string;
  let key: string;
  let url: string;

  before(async () => {
    project = bench.project('calls', { 'pyproject.toml': '', 'w.py': worker });
    const deployed = await toolkit(['deploy']);
    assert.equal(deployed.code, 0, deployed.stderr);
    key = (await toolkit(['platform', 'key'])).stdout.trim();
    const status = (await toolkit(['status', 'slow', '--json'])).json<StatusDocument>();
    url = status.endpoints[0]!.url;
  });

  const toolkit = (args: string[], signal?: AbortSignal): Promise<Ran> =>
    bench.toolkit(project, args, signal ? { signal } : {});
  const stateOf = async (id: string): Promise<string> => {
    const answer = await fetch(`${url}/status/${id}`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { status: string }).status;
  };
  const running = async (): Promise<void> => {
    for (const deadline = Date.now() + 20_000; ; ) {
      const { endpoints } = (await toolkit(['status', 'slow', '--json'])).json<StatusDocument>();
      if (endpoints[0]!.jobs.inProgress === 1) return;
      assert.ok(Date.now() < deadline, 'no job of slow ever ran');
    }
  };
  const jobIn = (text: string): string => /[0-9a-f-]{36}-u1/.exec(text)![0];

  it('--async prints the id at once, and how to follow and cancel the job', async () => {
    const ran = await toolkit(['call', 'slow', '--input', '{"seconds": 0.1}', '--async']);
    assert.equal(ran.code, 0, ran.stderr);
    const id = jobIn(ran.stdout);
    assert.match(ran.stdout, new RegExp(`curl ${url}/status/${id} .*toolkit platform key`));
    assert.match(ran.stdout, new RegExp(`curl -X POST ${url}/cancel/${id} `));
    for (const deadline = Date.now() + 20_000; (await stateOf(id)) !== 'COMPLETED'; await sleep(20))
      assert.ok(Date.now() < deadline, await stateOf(id));
    const document = await toolkit(['call', 'slow', '--input', '{"seconds": 0}', '--async', '--json']);
    assert.deepEqual(Object.keys(document.json<object>()), ['id', 'status']);
  });

  it('a timeout names the job, which continues', async () => {
    const ran = await toolkit(['call', 'slow', '--input', '{"seconds": 2}', '--timeout', '0.5']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /did not respond within 0\.5 s; its worker may still be provisioning/);
    const id = jobIn(ran.stderr);
    assert.match(await stateOf(id), /IN_QUEUE|IN_PROGRESS/);
    for (const deadline = Date.now() + 20_000; (await stateOf(id)) !== 'COMPLETED'; await sleep(50))
      assert.ok(Date.now() < deadline, await stateOf(id));
  });

  it('Ctrl+C cancels the job, names it, and exits 130', async () => {
    const interrupt = new AbortController();
    const call = toolkit(['call', 'slow', '--input', '{"seconds": 60}'], interrupt.signal);
    await running();
    interrupt.abort();
    const ran = await call;
    assert.equal(ran.code, 130, ran.stderr);
    assert.match(ran.stderr, /Interrupted; the job \S+ was cancelled/);
    assert.equal(await stateOf(jobIn(ran.stderr)), 'CANCELLED');
  });

  const EXACT: [written: string, answered: string][] = [
    ['9007199254740993', '[9007199254740993,"int"]'],
    ['1.0', '[1.0,"float"]'],
    ['-0.0', '[-0.0,"float"]'],
    ['"1.0 ü"', '["1.0 ü","str"]'],
  ];
  for (const [written, answered] of EXACT)
    it(`sends and prints ${written} unchanged`, async () => {
      const ran = await toolkit(['call', 'echo', '--input', `{"value": ${written}}`, '--json']);
      assert.ok(ran.stdout.includes(`"output":${answered}}`), ran.stdout + ran.stderr);
    });

  it('shows an exception as message and traceback, and unchanged with --json', async () => {
    const ran = await toolkit(['call', 'slow', '--input', '{"seconds": -1}']);
    assert.equal(ran.code, 1);
    const { error } = ran.json<{ error: string }>();
    assert.match(error, /^ValueError: sleep length must be non-negative$/);
    assert.match(ran.stderr, /^Traceback .*\n {2}File "w\.py", line \d+, in slow\n/);
    const unchanged = await toolkit(['call', 'slow', '--input', '{"seconds": -1}', '--json']);
    assert.match(unchanged.json<{ error: string }>().error, /^\{"error_type": "ValueError"/);
    assert.equal(unchanged.stderr, '');
  });

  it('accepts a file with a byte order mark, and refuses one that is not UTF-8', async () => {
    writeFileSync(path.join(project, 'bom.json'), '\uFEFF{"value": 1}');
    assert.equal((await toolkit(['call', 'echo', '--input', '@bom.json'])).code, 0);
    writeFileSync(path.join(project, 'latin1.json'), Buffer.from('{"value": "\xFC"}', 'latin1'));
    const ran = await toolkit(['call', 'echo', '--input', '@latin1.json']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /latin1\.json is not UTF-8 text/);
  });

  it('accepts a timeout up to the longest execution of a job, and refuses a longer one', async () => {
    const longest = await toolkit(['call', 'echo', '--input', '{"value": 1}', '--timeout', '604800']);
    assert.equal(longest.code, 0, longest.stderr);
    const fraction = await toolkit(['call', 'api', '--route', 'GET /items/1', '--timeout', '20.00001']);
    assert.equal(fraction.code, 0, fraction.stderr);
    const longer = await toolkit(['call', 'echo', '--timeout', '604801']);
    assert.equal(longer.code, 2);
    assert.match(longer.stderr, /at most 604800/);
  });

  it('reports a response that is cut off', async () => {
    const ran = await toolkit(['call', 'api', '--route', 'GET /broken']);
    assert.equal(ran.code, 1, ran.stderr);
    assert.match(ran.stderr, /The response from "api" was cut off\.\n.*Run "toolkit logs api"/);
  });

  it('Ctrl+C ends a command that reads standard input', async () => {
    const child = spawn(process.execPath, [cli, 'call', 'echo', '--input', '-'], {
      cwd: project,
      env: { ...cleanEnvironment(), TOOLKIT_HOME: bench.home },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.on('error', () => {});
    // Once a pipe takes more than its buffer holds, it has a reader.
    for (let free = true; free; ) free = child.stdin.write(' '.repeat(10_000));
    await once(child.stdin, 'drain');
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [130, null]);
  });

  it('continues when its terminal is closed, if started by nohup', async () => {
    // What GNU nohup uses instead of a terminal.
    const unreadable = openSync('/dev/null', 'w');
    const child = spawn(process.execPath, [cli, 'call', 'slow', '--input', '{"seconds": 2}'], {
      cwd: project,
      env: { ...cleanEnvironment(), TOOLKIT_HOME: bench.home },
      stdio: [unreadable, 'ignore', 'ignore'],
    });
    closeSync(unreadable);
    const ended = once(child, 'exit');
    await running();
    child.kill('SIGHUP');
    assert.deepEqual(await ended, [0, null]);
  });

  const REFUSED: [title: string, args: string[], exit: number, message: RegExp, hint: RegExp][] = [
    ['an unknown endpoint', ['call', 'slwo'], 1, /No endpoint "slwo"/, /Deployed endpoints: api, echo, slow/],
    ['--async of a load-balanced endpoint', ['call', 'api', '--async'], 2, /load-balanced/, /Remove --async/],
    [
      '--route of a queue-based endpoint',
      ['call', 'slow', '--route', 'GET /x'],
      2,
      /queue-based/,
      /Remove --route/,
    ],
    [
      'a load-balanced endpoint without a route',
      ['call', 'api'],
      2,
      /has 3 routes/,
      /--route "GET \/items\/\{item\}"/,
    ],
    [
      'a route without method and path',
      ['call', 'api', '--route', 'items'],
      2,
      /must be an HTTP method and a path, not "items"/,
      /--route "POST \/items"/,
    ],
    [
      'an unknown route',
      ['call', 'api', '--route', 'GET /gone'],
      1,
      /has no route GET \/gone/,
      /--route "POST \/items"/,
    ],
  ];
  for (const [title, args, exit, message, hint] of REFUSED)
    it(`refuses ${title}`, async () => {
      const ran = await toolkit([...args, '--json']);
      assert.equal(ran.code, exit, ran.stdout);
      const { error } = ran.json<{ error: { message: string; hint: string } }>();
      assert.match(error.message, message);
      assert.match(error.hint, hint);
    });

  it('fills a path from the input, or sends a literal path', async () => {
    const filled = await toolkit([
      'call',
      'api',
      '--route',
      'GET /items/{item}',
      '--input',
      '{"item": 3}',
      '--json',
    ]);
    assert.deepEqual(filled.json(), { item: 3 });
    const typed = await toolkit(['call', 'api', '--route', 'get /items/4', '--json']);
    assert.deepEqual(typed.json(), { item: 4 });
  });
});
