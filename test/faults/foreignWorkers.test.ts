/** A worker library that knows nothing of the toolkit, unchanged from PyPI, as the command of an endpoint. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TerminalJobBody } from '../../runtime/contract/job.ts';
import { workbench } from '../setup/toolkit.ts';
import { FOREIGN } from './foreignWorker.ts';

describe('a worker of another library', () => {
  const bench = workbench({ after });
  let project = '';
  let site = '';

  before(async () => {
    project = bench.project('foreign', FOREIGN);
    const deployed = await bench.toolkit(project, ['deploy', '--json']);
    assert.equal(deployed.code, 0, deployed.stdout + deployed.stderr);
    site = deployed.json<{ loadBalanced: { url: string }[] }>().loadBalanced[0]!.url;
  });

  async function call(endpoint: string, input: object): Promise<TerminalJobBody> {
    const ran = await bench.toolkit(project, ['call', endpoint, '--input', JSON.stringify(input), '--json']);
    return ran.json<TerminalJobBody>();
  }

  it('takes jobs, posts their results and reports exceptions', async () => {
    const done = await call('foreign', { n: 41 });
    assert.deepEqual([done.status, done.output, done.retries], ['COMPLETED', { n: 42 }, undefined]);
    const failed = await call('foreign', { n: 'x' });
    assert.equal(failed.status, 'FAILED');
    assert.match(failed.error!, /TypeError/);
    assert.equal((await call('foreign', { n: 1 })).status, 'COMPLETED');
  });

  it('renews its leases with its own pings', async () => {
    // Its pings are 10 s apart.
    const ran = await bench.toolkit(project, [
      'call',
      'foreign',
      '--async',
      '--input',
      '{"seconds":11}',
      '--json',
    ]);
    const { id } = ran.json<{ id: string }>();
    const isPinged = async () => {
      const logs = await bench.toolkit(project, ['logs', 'foreign']);
      return logs.stdout.includes(`job_id=${id}`) && logs.stdout.includes('Status: 200');
    };
    const deadline = performance.now() + 60_000;
    while (!(await isPinged())) {
      assert.ok(performance.now() < deadline, 'no ping named the job');
      await sleep(500);
    }
  });

  it('serves HTTP on its port behind the gateway', async () => {
    const key = (await bench.toolkit(project, ['platform', 'key'])).stdout.trim();
    const answer = await fetch(`${site}/hello.txt`, { headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual([answer.status, await answer.text()], [200, FOREIGN['hello.txt']]);
    const called = await bench.toolkit(project, ['call', 'site', '--route', 'GET /hello.txt']);
    assert.equal(called.stdout.trim(), FOREIGN['hello.txt']!.trim());
  });
});
