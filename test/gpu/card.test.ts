/**
 * Endpoints on a machine with an NVIDIA GPU: the bundled command, real workers, and a kernel that runs on the GPU. Needs
 * the driver alone: no CUDA toolkit, no package.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { GPU_GROUPS, GPU_TYPES } from '../../runtime/contract/hardware.ts';
import { type Ran, workbench, writeProject } from '../setup/toolkit.ts';

const COUNT = 100_000;
const SUM = ((COUNT - 1) * COUNT * (2 * COUNT - 1)) / 6;
const GIB = 2 ** 30;

describe('on a machine with an NVIDIA GPU', { timeout: 180_000 }, () => {
  const bench = workbench({ after });
  const card = firstCard();
  const other = Object.keys(GPU_GROUPS).find(
    (group) => group !== 'ANY' && !GPU_GROUPS[group]!.some((type) => GPU_TYPES[type] === card),
  )!;
  let project: string;

  before(async () => {
    const source = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8');
    project = bench.project('cards', {
      'pyproject.toml': '[project]\nname = "cards"\n',
      'driver.py': source('driver.py'),
      'endpoints.py': source('endpoints.py').replace('OTHER_GROUP', other),
    });
    succeeded(await bench.toolkit(project, ['deploy']));
  });

  /** Calls a function, and returns what it returned. */
  async function call<Output>(name: string, input: object): Promise<Output> {
    const ran = await bench.toolkit(project, ['call', name, '--input', JSON.stringify(input)]);
    return succeeded(ran).json<{ output: Output }>().output;
  }

  async function statusOf(name: string): Promise<StatusDocument['endpoints'][number]> {
    const status = succeeded(await bench.toolkit(project, ['status', '--json'])).json<StatusDocument>();
    return status.endpoints.find((endpoint) => endpoint.name === name)!;
  }

  it('doctor names the GPU', async () => {
    const { stdout } = await bench.toolkit(project, ['doctor']);
    assert.ok(stdout.includes(card), stdout);
  });

  it('a function computes on the GPU, which status names', async () => {
    const output = await call<Computed>('any', { count: COUNT });
    assert.deepEqual(output, { gpu: card, sum: SUM, visible: '0' });
    assert.equal((await statusOf('any')).hardware, card);
  });

  it('a function that asks for another GPU computes on this one, which is named', async () => {
    const output = await call<Computed>('other', { count: COUNT });
    assert.deepEqual(output, { gpu: card, sum: SUM, visible: '0' });
    assert.equal((await statusOf('other')).hardware, `${card} (requested: ${other})`);
  });

  it('routes compute on the GPU, in threads and in the event loop', async () => {
    for (const route of ['squares', 'async-squares']) {
      const ran = await bench.toolkit(project, ['call', 'routes', '--route', `GET /${route}/${COUNT}`]);
      assert.deepEqual(succeeded(ran).json(), { gpu: card, sum: SUM, visible: '0' });
    }
  });

  it('a CPU endpoint sees no GPU', async () => {
    assert.equal(await call('cpu', {}), 'cuInit: CUDA_ERROR_NO_DEVICE');
  });

  it('the memory of a killed worker is free again when its job runs for the second time', async () => {
    const marker = path.join(bench.folder, 'held');
    const output = await call<{ before: number }>('memory', { size: 4 * GIB, marker });
    assert.ok(Number(readFileSync(marker, 'utf8')) >= 4 * GIB, 'the first attempt took no memory');
    assert.ok(output.before < 4 * GIB, `${output.before} bytes were in use`);
  });

  it('a new version is ready while the last one still computes on the only GPU', async () => {
    const running = call<{ rounds: number }>('long', { seconds: 10 });
    while ((await statusOf('long')).jobs.inProgress === 0) await sleep(100);
    const endpoints = readFileSync(path.join(project, 'endpoints.py'), 'utf8');
    writeProject(project, {
      'endpoints.py': endpoints.replace('return {"rounds": rounds}', 'return {"rounds": -1}'),
    });
    succeeded(await bench.toolkit(project, ['deploy']));
    assert.ok((await running).rounds > 0);
    assert.equal((await call<{ rounds: number }>('long', { seconds: 0 })).rounds, -1);
  });

  it('under "require", jobs for another GPU wait, and those for this one run', async () => {
    await bench.toolkit(project, ['platform', 'stop']);
    succeeded(await bench.toolkit(project, ['platform', 'start', '--gpu', 'require']));
    assert.match((await statusOf('other')).hardware, /^waits for a GPU/);
    const job = ['call', 'other', '--input', '{"count": 1}', '--timeout', '2'];
    const waiting = await bench.toolkit(project, job);
    assert.notEqual(waiting.code, 0);
    assert.equal((await call<Computed>('any', { count: 2 })).sum, 1);
  });
});

interface Computed {
  gpu: string;
  sum: number;
  visible: string;
}

function succeeded(ran: Ran): Ran {
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  return ran;
}

function firstCard(): string {
  try {
    const query = ['--query-gpu=name', '--format=csv,noheader'];
    return execFileSync('nvidia-smi', query, { encoding: 'utf8' }).split('\n')[0]!.trim();
  } catch (error) {
    throw new Error('These tests need an NVIDIA GPU and its driver: nvidia-smi must list it.', {
      cause: error,
    });
  }
}
