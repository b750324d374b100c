import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { PLATFORM_LIMITS } from '../../runtime/contract/limits.ts';
import { Store } from '../../runtime/platform/store/store.ts';

const { keptBuilds, keptDeployments } = PLATFORM_LIMITS;
const THREAD = new URL('../../runtime/platform/main.ts', import.meta.url);

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-history-'));
const store = (await Store.open(path.join(folder, 'store.sqlite'), THREAD))!;
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const environmentRow = (name: string, build: number, lastBuild = build) => ({
  app: 'shop',
  name,
  build,
  revision: build,
  last_build: lastBuild,
});

const deploymentRow = (environment: string, number: number, state: string) => ({
  id: `${environment}-${number}`,
  app: 'shop',
  environment,
  state,
  body: '{}',
  created: new Date().toISOString(),
});

function begin(environment: string, number: number): Promise<void> {
  return store.deployed.begin(
    environmentRow(environment, number - 1, number),
    deploymentRow(environment, number, 'running'),
  );
}

async function deploy(environment: string, number: number): Promise<void> {
  await begin(environment, number);
  await store.deployed.switchTo({
    changed: [],
    removed: [],
    history: {
      environment: environmentRow(environment, number),
      build: {
        app: 'shop',
        environment,
        number,
        spec: '[]',
        parts: '[]',
        created: new Date().toISOString(),
      },
      deployment: deploymentRow(environment, number, 'succeeded'),
    },
  });
}

async function builds(environment: string): Promise<number[]> {
  return (await store.builds.history('shop', environment)).map(({ number }) => number);
}

/** Numbers of the deployments that still exist. */
async function deployments(environment: string, last: number): Promise<number[]> {
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  const rows = await Promise.all(numbers.map((number) => store.deployments.find(`${environment}-${number}`)));
  return numbers.filter((_, index) => rows[index] !== null);
}

test('an environment keeps its newest builds and deployments, whatever other environments do', async () => {
  const last = keptBuilds + 120;
  await deploy('quiet', 1);
  for (let number = 1; number <= last; number += 1) await deploy('busy', number);
  const newest = (count: number) => Array.from({ length: count }, (_, index) => last - index);
  assert.deepEqual(await builds('busy'), newest(keptBuilds));
  assert.deepEqual(await deployments('busy', last), newest(keptDeployments).toReversed());
  assert.deepEqual(await builds('quiet'), [1]);
  assert.deepEqual(await deployments('quiet', 1), [1]);
});

test('failed deploys remove neither builds nor a running deploy from the history', async () => {
  await deploy('failing', 1);
  await begin('failing', 2);
  const last = keptDeployments + 20;
  for (let number = 3; number <= last; number += 1) {
    await begin('failing', number);
    await store.deployments.put(deploymentRow('failing', number, 'failed'));
  }
  assert.deepEqual(await builds('failing'), [1]);
  const found = await deployments('failing', last);
  assert.equal(found[0], 2);
  assert.equal(found.length, keptDeployments + 1);
});
