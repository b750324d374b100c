/** Requests whose clients leave while a function runs, which nothing can stop. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { workbench } from '../setup/toolkit.ts';

const functions = (file: string) => `import time
from toolkit_sdk import Endpoint

one = Endpoint(name="one", cpu="cpu3c-1-2", workers=(1, 1), max_concurrency=1)
limited = Endpoint(name="limited", cpu="cpu3c-1-2", workers=(1, 1), max_concurrency=1, execution_timeout=5)


def note(text):
    with open(${JSON.stringify(file)}, "a") as notes:
        notes.write(text + "\\n")


@one.get("/wait")
def wait(name: str, seconds: float):
    """Wait, in a thread."""
    note("begin " + name)
    time.sleep(seconds)
    note("end " + name)
    return name


@one.get("/held")
def held(name: str, file: str):
    """Wait for a file."""
    import os

    note("begin " + name)
    while not os.path.exists(file):
        time.sleep(0.01)
    return name


@one.get("/pieces")
def pieces(name: str):
    """Send two pieces, with a wait before the second."""
    from fastapi.responses import StreamingResponse

    def parts():
        note("begin " + name)
        yield "first"
        time.sleep(2)
        note("end " + name)
        yield "second"

    return StreamingResponse(parts())


@one.get("/patient")
async def patient(name: str, seconds: float):
    """Wait on the event loop."""
    import asyncio

    note("begin " + name)
    await asyncio.sleep(seconds)
    note("end " + name)
    return name


@limited.get("/stuck")
def stuck(seconds: float):
    """Wait longer than allowed."""
    note("begin stuck")
    time.sleep(seconds)
    return "late"


@limited.get("/worker")
def worker():
    """Answer."""
    return "here"
`;

describe('requests whose client has left', () => {
  const bench = workbench({ after });
  const notes = path.join(bench.folder, 'notes.txt');
  let key: string;
  let project: string;
  let urls: Map<string, string>;

  before(async () => {
    project = bench.project('app', { 'pyproject.toml': '', 'api.py': functions(notes) });
    const deployed = await bench.toolkit(project, ['deploy', '--json']);
    assert.equal(deployed.code, 0, deployed.stdout);
    const status = (await bench.toolkit(project, ['status', '--json'])).json<StatusDocument>();
    urls = new Map(status.endpoints.map(({ name, url }) => [name, url]));
    key = (await bench.toolkit(project, ['platform', 'key'])).stdout.trim();
  });

  const get = (endpoint: string, route: string, signal?: AbortSignal) =>
    fetch(`${urls.get(endpoint)}${route}`, {
      headers: { authorization: `Bearer ${key}` },
      ...(signal && { signal }),
    });
  const noted = () => readFileSync(notes, 'utf8').trim().split('\n');

  /** Sends a request, and leaves once its function has begun. */
  async function leave(route: string): Promise<void> {
    const left = new AbortController();
    const request = get('one', route, left.signal).then((answer) => answer.text());
    const begun = `begin ${new URLSearchParams(route.split('?')[1]).get('name')}`;
    while (!noted().includes(begun)) await sleep(10);
    left.abort();
    await assert.rejects(request, { name: 'AbortError' });
  }

  for (const [kind, route] of [
    ['a plain function', 'wait'],
    ['an async function', 'patient'],
  ] as const) {
    it(`keep their place at a worker until ${kind} has ended, so that max_concurrency holds`, async () => {
      assert.equal(await (await get('one', `/wait?name=first-${route}&seconds=0`)).json(), `first-${route}`);
      await leave(`/${route}?name=left-${route}&seconds=1.5`);
      assert.equal(
        await (await get('one', `/${route}?name=next-${route}&seconds=0`)).json(),
        `next-${route}`,
      );
      assert.deepEqual(noted().slice(-4), [
        `begin left-${route}`,
        `end left-${route}`,
        `begin next-${route}`,
        `end next-${route}`,
      ]);
    });
  }

  it('keep their place until a step of a stream has ended', async () => {
    await leave('/pieces?name=left-stream');
    assert.equal(await (await get('one', '/wait?name=after-stream&seconds=0')).json(), 'after-stream');
    assert.deepEqual(noted().slice(-3), ['end left-stream', 'begin after-stream', 'end after-stream']);
  });

  it('count as running', async () => {
    const gate = path.join(bench.folder, 'gate');
    await leave(`/held?name=counted&file=${encodeURIComponent(gate)}`);
    const status = (await bench.toolkit(project, ['status', '--json'])).json<StatusDocument>();
    const { workers } = status.endpoints.find(({ name }) => name === 'one')!;
    assert.equal(workers.running, 1, JSON.stringify(workers));
    writeFileSync(gate, '');
    assert.equal(await (await get('one', '/wait?name=after-held&seconds=0')).json(), 'after-held');
  });

  it('end at their execution_timeout: their blocked worker is replaced', async () => {
    const former = (await get('limited', '/worker')).headers.get('x-worker-id');
    const left = new AbortController();
    const request = get('limited', '/stuck?seconds=60', left.signal);
    while (!noted().includes('begin stuck')) await sleep(10);
    left.abort();
    await assert.rejects(request, { name: 'AbortError' });
    const next = await get('limited', '/worker', AbortSignal.timeout(30_000));
    assert.equal(await next.json(), 'here');
    assert.notEqual(next.headers.get('x-worker-id'), former);
  });
});
