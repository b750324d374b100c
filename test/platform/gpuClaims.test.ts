/** Which workers must end for one that waits for cards, and who gets the cards then. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_NODE } from '../../runtime/contract/agentProtocol.ts';
import type { EndpointSpec } from '../../runtime/contract/appSpec.ts';
import type { WorkerNode } from '../../runtime/platform/drivers/workerDriver.ts';
import { Gpus } from '../../runtime/platform/hardware/gpus.ts';
import { endpointSpec } from './harness.ts';

const NONE: ReadonlySet<string> = new Set();

function waiting(id: string, gpu = 'ANY', gpuCount = 1): { id: string; spec: EndpointSpec } {
  return { id, spec: endpointSpec(id, { hardware: { gpu, gpuTypes: [] }, gpuCount }) };
}

function node(id: string, gpus: string[], isConnected = true): WorkerNode {
  const capacity = { cores: 4, memory: 8e9, gpus, pythons: { '3.11': '/usr/bin/python3' } };
  return { id, platform: 'http://127.0.0.1:1', uv: null, isConnected, capacity } as WorkerNode;
}

/** A platform with these cards, and workers that hold some of them. */
function machine(names: string[], held: Record<string, number[]>, others: WorkerNode[] = []): Gpus {
  const own = names.map((name, index) => ({ node: LOCAL_NODE, index, name }));
  const gpus = new Gpus('auto', own, () => others);
  for (const [worker, indexes] of Object.entries(held))
    gpus.hold(
      worker,
      indexes.map((index) => ({ node: LOCAL_NODE, index })),
    );
  return gpus;
}

const L4 = 'NVIDIA L4';

test('the first of the workers that can end are chosen, and no more than needed', () => {
  const held = { v: [0], w: [1, 2] };
  assert.deepEqual(machine([L4, L4, L4], held).claim(waiting('b'), ['v', 'w'], NONE), ['v']);
  assert.deepEqual(machine([L4, L4, L4], held).claim(waiting('b', 'ANY', 2), ['v', 'w'], NONE), ['w']);
  assert.deepEqual(machine([L4, L4, L4], held).claim(waiting('b', 'ANY', 3), ['v', 'w'], NONE), ['v', 'w']);
});

test('nobody ends if that is not enough', () => {
  assert.deepEqual(machine([L4, L4], { v: [0], w: [1] }).claim(waiting('b', 'ANY', 2), ['v'], NONE), []);
});

test('the cards of predecessors count, without their end', () => {
  const gpus = machine([L4, L4], { old: [0], idle: [1] });
  assert.deepEqual(gpus.claim(waiting('b', 'ANY', 2), ['idle'], new Set(['old'])), ['idle']);
});

test('a card of the requested kind comes first, then the node whose workers can end sooner', () => {
  const endedFor = (gpu: string, able: string[]) => {
    const gpus = machine([L4], { here: [0] }, [node('remote', ['NVIDIA A100 80GB PCIe'])]);
    gpus.hold('there', [{ node: 'remote', index: 0 }]);
    return gpus.claim(waiting('b', gpu), able, NONE);
  };
  assert.deepEqual(endedFor('AMPERE_80', ['here', 'there']), ['there']);
  assert.deepEqual(endedFor('ANY', ['there', 'here']), ['there']);
  assert.deepEqual(endedFor('ANY', ['here', 'there']), ['here']);
});

test('a card of the requested kind also comes first on one node', () => {
  const gpus = machine([L4, 'NVIDIA A100 80GB PCIe'], { small: [0], large: [1] });
  assert.deepEqual(gpus.claim(waiting('b', 'AMPERE_80'), ['small', 'large'], NONE), ['large']);
});

test('a claim stays with the worker that already ends for it', () => {
  const gpus = machine([L4, 'NVIDIA A100 80GB PCIe'], { small: [0], large: [1] });
  assert.deepEqual(gpus.claim(waiting('b', 'AMPERE_80'), ['small'], NONE), ['small']);
  assert.deepEqual(gpus.claim(waiting('b', 'AMPERE_80'), ['small', 'large'], NONE), ['small']);
});

test('no worker of a node that is away ends', () => {
  const gpus = machine([], {}, [node('remote', [L4], false)]);
  gpus.hold('there', [{ node: 'remote', index: 0 }]);
  assert.deepEqual(gpus.claim(waiting('b'), ['there'], NONE), []);
});

test('a claimed card goes to the endpoint that waits for it, and to another once it has stopped asking', async () => {
  const gpus = machine([L4], { a1: [0] });
  assert.deepEqual(gpus.claim(waiting('b'), ['a1'], NONE), ['a1']);
  assert.deepEqual(gpus.claim(waiting('c'), ['a1'], NONE), []);
  gpus.release('a1');
  assert.equal(gpus.reserve('a2', waiting('a'), NONE), 'wait');
  const reserved = gpus.reserve('b1', waiting('b'), NONE);
  assert.deepEqual(reserved, { cards: [{ node: LOCAL_NODE, index: 0, name: L4 }] });

  assert.deepEqual(gpus.claim(waiting('c'), ['b1'], NONE), ['b1']);
  gpus.release('b1');
  await sleep(2_100);
  assert.deepEqual(gpus.reserve('a3', waiting('a'), NONE), reserved);
});
