/** What a waiting caller of `toolkit dev` gets: the stage of its job, and a response after a minute. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const SLOW = `import time

from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2")


@Endpoint(name="slow", cpu="cpu3c-1-2", max_concurrency=2)
def slow(seconds: float):
    time.sleep(seconds)
    return seconds


@api.get("/slow")
async def slow_route():
    import asyncio

    await asyncio.sleep(70)
`;

const HEAVY = `import time

from toolkit_sdk import Endpoint

time.sleep(3)


@Endpoint(name="heavy", cpu="cpu3c-1-2", idle_timeout=1)
def heavy():
    time.sleep(2)
    return 1
`;

interface JobBody {
  id: string;
  status: string;
  stage?: string;
  output?: unknown;
}

describe('waiting for dev', { concurrency: true }, () => {
  const bench = workbench({ after });
  let dev: DevSession;
  let project: string;

  before(async () => {
    project = bench.project('app', { 'pyproject.toml': '', 'slow.py': SLOW, 'heavy.py': HEAVY });
    dev = await DevSession.start(project, bench.home);
  });
  after(() => dev.stop());

  const status = async (path: string) => JSON.parse((await dev.request('GET', path)).text) as JobBody;

  async function workersOf(name: string): Promise<number> {
    const { endpoints } = (await bench.toolkit(project, ['status', '--json'])).json<StatusDocument>();
    const { idle, initializing, running } = endpoints.find((endpoint) => endpoint.name === name)!.workers;
    return idle + initializing + running;
  }

  it('shows the progress of a job', async () => {
    assert.equal(await dev.run('/heavy', {}), 1);
    while ((await workersOf('live-heavy')) > 0) await sleep(200);
    const made = JSON.parse((await dev.request('POST', '/heavy/run', { input: {} })).text) as JobBody;
    const stages = new Set<string | undefined>();
    for (;;) {
      const body = await status(`/heavy/status/${made.id}`);
      stages.add(body.stage);
      if (body.status === 'COMPLETED') break;
      await sleep(10);
    }
    // It is queued before a worker starts, and briefly after the worker is ready.
    stages.delete('queued');
    const inOrder = ['starting worker', 'importing', 'running', undefined];
    assert.deepEqual(
      [...stages],
      inOrder.filter((stage) => stages.has(stage)),
    );
    for (const stage of ['importing', 'running', undefined]) assert.ok(stages.has(stage), String(stage));
  });

  it('names the job that continues when its caller has waited for a minute', async () => {
    const { status: code, text } = await dev.request('POST', '/slow/runsync', { input: { seconds: 65 } });
    assert.equal(code, 504, text);
    const { error, id, ...rest } = JSON.parse(text) as Record<string, string>;
    assert.equal(rest['code'], 'CALL_TIMEOUT');
    assert.match(
      error!,
      new RegExp(`The job ${id} has not ended after 60 s \\(stage: running\\)\\. It continues\\.`),
    );
    for (;;) {
      const body = await status(`/slow/status/${id}`);
      if (body.status === 'IN_PROGRESS') await sleep(200);
      else return assert.deepEqual([body.status, body.output], ['COMPLETED', 65]);
    }
  });

  it('returns the state of the job to a caller that asks for a shorter wait', async () => {
    const answer = await dev.request('POST', '/slow/runsync?wait=1000', { input: { seconds: 3 } });
    assert.equal(answer.status, 200);
    const { status: state } = JSON.parse(answer.text) as JobBody;
    assert.ok(['IN_QUEUE', 'IN_PROGRESS'].includes(state), answer.text);
  });

  it('returns 504 for a route without a first byte after a minute', async () => {
    const { status: code, text } = await dev.request('GET', '/slow/slow');
    assert.deepEqual([code, /did not respond within 60 s/.test(text)], [504, true], text);
  });
});
