import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseMemory } from '../../runtime/platform/releaseMemory.ts';
import { until } from './harness.ts';

test('releases the memory of finished work once the platform is idle', async () => {
  releaseMemory();
  const made = Array.from({ length: 500_000 }, (_, index) => ({ text: `number ${index}` }));
  const { heapTotal } = process.memoryUsage();
  assert.equal(made.splice(0).length, 500_000);
  await until('the heap is half as large', async () => process.memoryUsage().heapTotal < heapTotal / 2);
});
