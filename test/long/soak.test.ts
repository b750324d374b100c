import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from '../platform/soak.ts';
import { workbench } from '../setup/toolkit.ts';

test('half an hour of steady load: memory, descriptors, processes and disk do not grow', async (t) => {
  const growth = await soak(workbench(t), 30);
  t.diagnostic(JSON.stringify(growth));
  assert.ok(growth.requests > 10_000);
  assert.ok(growth.platformMb < 10, 'memory of the platform');
  assert.ok(growth.agentMb < 2, 'memory of the node agent');
  assert.ok(growth.workersMb < 3, 'memory of workers');
  assert.ok(growth.descriptors < 5, 'descriptors');
  assert.ok(growth.processes < 1, 'processes');
  assert.ok(growth.diskMb < 7, 'disk');
});
