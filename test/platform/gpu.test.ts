import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { EndpointSpec } from '../../runtime/contract/appSpec.ts';
import { endpointSpec, GraphqlError, TestHome, type TestPlatform, until } from './harness.ts';

const homes: TestHome[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-cards-'));
after(async () => {
  await Promise.all(homes.map((home) => home.clean()));
  rmSync(folder, { recursive: true });
});

/** A platform on a machine with these cards: nvidia-smi on its PATH answers as the real one does. */
async function machine(cards: string[], gpu: 'auto' | 'require' | 'none' = 'auto'): Promise<TestPlatform> {
  const bin = mkdtempSync(path.join(folder, 'bin-'));
  const csv = cards.map((name, index) => `${index}, ${name}`).join('\n');
  writeFileSync(path.join(bin, 'nvidia-smi'), `#!/bin/sh\ncat <<'END'\n${csv}\nEND\n`);
  chmodSync(path.join(bin, 'nvidia-smi'), 0o755);
  const home = new TestHome();
  homes.push(home);
  return home.start({ gpu, env: { PATH: `${bin}:${process.env['PATH']}` } });
}

function gpuSpec(name: string, gpu: string, changes: Partial<EndpointSpec> = {}): EndpointSpec {
  return endpointSpec(name, { hardware: { gpu, gpuTypes: [] }, image: 'toolkit/base-gpu', ...changes });
}

async function cardsOf(platform: TestPlatform, name: string): Promise<unknown> {
  const { url } = await platform.endpoint(name);
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  return body['output']!['cards'];
}

test('gives each worker whole cards of its own, and jobs wait IN_QUEUE while all are taken', async () => {
  const platform = await machine(['NVIDIA L4', 'NVIDIA L4']);
  const deployed = await platform.deploy({
    endpoints: [gpuSpec('one', 'AMPERE_24', { workersMax: 3 }), endpointSpec('cpu')],
  });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  assert.equal((await platform.endpoint('one')).hardware, 'NVIDIA L4');
  assert.equal(await cardsOf(platform, 'cpu'), '');
  const { url } = await platform.endpoint('one');
  const jobs = await Promise.all(
    [1, 2, 3].map(async () =>
      String((await platform.request('POST', `${url}/run`, { input: { sleep: 4 } })).body['id']),
    ),
  );
  await until('two run and one waits', async () => {
    const { body } = await platform.request('GET', `${url}/health`);
    return (
      Number(body['jobs']!['inProgress']) === 2 &&
      Number(body['jobs']!['inQueue']) === 1 &&
      Number(body['workers']!['throttled']) > 0
    );
  });
  const used = await Promise.all(
    jobs.map(
      async (id) => (await platform.request('GET', `${url}/status-sync/${id}`)).body['output']!['cards'],
    ),
  );
  assert.deepEqual([...new Set(used)].toSorted(), ['0', '1']);
});

test('reserves gpu_count cards, and proves two endpoints on one machine one after the other', async () => {
  const platform = await machine(['NVIDIA L4', 'NVIDIA L4']);
  const deployed = await platform.deploy({
    endpoints: [
      gpuSpec('a', 'ANY', { gpuCount: 2, idleTimeout: 0 }),
      gpuSpec('b', 'ANY', { gpuCount: 2, idleTimeout: 0 }),
    ],
  });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  assert.equal((await platform.endpoint('a')).hardware, '2 × NVIDIA L4');
  assert.equal(await cardsOf(platform, 'a'), '0,1');
  assert.equal(await cardsOf(platform, 'b'), '0,1');
  const again = await platform.deploy({
    endpoints: [
      gpuSpec('a', 'ANY', { gpuCount: 2, idleTimeout: 0, env: { VERSION: '2' } }),
      gpuSpec('b', 'ANY', { gpuCount: 2, idleTimeout: 0 }),
    ],
  });
  assert.equal(again.state, 'succeeded', JSON.stringify(again));
  await assert.rejects(
    platform.deploy({ app: 'big', endpoints: [gpuSpec('c', 'ANY', { gpuCount: 3 })] }),
    (error) =>
      error instanceof GraphqlError &&
      error.code === 'SETTING_UNSUPPORTED' &&
      /gpu_count=3.*has 2/.test(error.message),
  );
});

test('a failed deploy leaves the cards with the workers that go on', async () => {
  const platform = await machine(['NVIDIA L4']);
  const one = (env: Record<string, string>) => gpuSpec('one', 'ANY', { workersMin: 1, workersMax: 2, env });
  await platform.deploy({ endpoints: [one({})] });
  const failed = await platform.deploy({ endpoints: [one({ FAIL_START: 'yes' })] });
  assert.equal(failed.error?.code, 'ROLLOUT_FAILED', JSON.stringify(failed));
  const { url } = await platform.endpoint('one');
  const jobs = [1, 2].map(() => platform.request('POST', `${url}/runsync`, { input: { sleep: 2 } }));
  const pids = (await Promise.all(jobs)).map(({ body }) => body['output']!['pid']);
  assert.equal(pids[0], pids[1], 'one card, one worker');
});

test('another card than the one asked for serves and is named', async () => {
  const platform = await machine(['NVIDIA L4']);
  const endpoints = [gpuSpec('one', 'ADA_24')];
  assert.deepEqual((await platform.plan({ endpoints })).notes, [
    '"one" runs on NVIDIA L4 (asked for ADA_24).',
  ]);
  await platform.deploy({ endpoints });
  assert.equal((await platform.endpoint('one')).hardware, 'NVIDIA L4 (asked for ADA_24)');
  assert.equal(await cardsOf(platform, 'one'), '0');
});

test('under require the card must match: jobs wait and every surface says so', async () => {
  const platform = await machine(['NVIDIA L4'], 'require');
  const deployed = await platform.deploy({
    endpoints: [gpuSpec('one', 'ADA_24'), gpuSpec('two', 'AMPERE_24')],
  });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  assert.match((await platform.endpoint('one')).hardware, /^waits for a GPU/);
  const { url } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync?wait=1000`, { input: {} });
  assert.equal(body['status'], 'IN_QUEUE');
  assert.equal(await cardsOf(platform, 'two'), '0');
});

test('under none the cards are not used, and that is said', async () => {
  const platform = await machine(['NVIDIA L4'], 'none');
  await platform.deploy({ endpoints: [gpuSpec('one', 'ANY')] });
  assert.equal((await platform.endpoint('one')).hardware, 'CPU: GPUs are switched off (--gpu none)');
  assert.equal(await cardsOf(platform, 'one'), '');
});
