import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkerNode } from '../../runtime/platform/drivers/workerDriver.ts';
import { chooseNode } from '../../runtime/platform/workers/placement.ts';
import type { Worker } from '../../runtime/platform/workers/worker.ts';
import { endpointSpec } from './harness.ts';

const GB = 1_000_000_000;

function node(
  id: string,
  { cores = 4, memory = 64 * GB, isConnected = true, python = '3.12' } = {},
): WorkerNode {
  const capacity = { cores, memory, gpus: [], pythons: { [python]: '/usr/bin/python3' } };
  return { id, capacity, isConnected, platform: '', uv: null } as WorkerNode;
}

/** A worker that needs 8 GB. */
function worker(place: string | null = null): Worker {
  const spec = endpointSpec('one', { python: '3.12', hardware: { cpu: 'cpu5c-4-8' } });
  return { target: { spec }, node: place } as Worker;
}

const chosen = (nodes: WorkerNode[], running: string[] = [], place: string | null = null) =>
  chooseNode(
    nodes,
    worker(place),
    running.map((id) => worker(id)),
  ).id;

test('a worker starts on the node with the fewest workers per core, in doubt on the first one', () => {
  assert.equal(chosen([node('a'), node('b')]), 'a');
  assert.equal(chosen([node('a'), node('b')], ['a']), 'b');
  assert.equal(chosen([node('a', { cores: 8 }), node('b', { cores: 2 })], ['a', 'a', 'b']), 'a');
});

test('a node with too little memory is chosen only if all others are away', () => {
  const small = node('small', { memory: 4 * GB });
  assert.equal(chosen([small, node('large')], ['large']), 'large');
  assert.equal(chosen([node('exact', { memory: 8 * GB }), node('large')]), 'exact');
  assert.equal(chosen([small, node('large', { isConnected: false })]), 'small');
});

test('a worker waits for a node that is away if no other has its Python', () => {
  assert.equal(chosen([node('away', { isConnected: false }), node('other', { python: '3.11' })]), 'away');
  assert.throws(() => chosen([node('other', { python: '3.11' })]), /no machine has Python 3\.12/);
});

test('a worker with cards starts on the node of its cards', () => {
  assert.equal(chosen([node('a'), node('cards')], ['cards'], 'cards'), 'cards');
  assert.throws(() => chosen([node('a')], [], 'cards'), /the node "cards" with its GPU is not connected/);
});
