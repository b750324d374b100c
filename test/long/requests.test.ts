import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steadyRequests } from '../platform/steadyRequests.ts';
import { workbench } from '../setup/toolkit.ts';

test('50,000 requests through 10 deploys and 20 kills of workers: only requests on a killed worker fail, and none is repeated', async (t) => {
  const plan = { requests: 50_000, deploys: 10, kills: 20 };
  const { sent, failedByKill, ...outcome } = await steadyRequests(workbench(t), plan);
  t.diagnostic(`${sent} requests, ${failedByKill} failed on killed workers`);
  assert.deepEqual(outcome, { failedOtherwise: [], repeated: 0, unseen: 0, versions: 11 });
});
