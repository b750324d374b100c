import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workbench } from '../setup/toolkit.ts';
import { steadyRequests } from './steadyRequests.ts';

// A short version of the test in test/long.
test('during deploys and kills of workers, requests fail only on a killed worker, and none is repeated', async (t) => {
  const plan = { requests: 3_000, deploys: 2, kills: 3 };
  const { sent, failedByKill, ...outcome } = await steadyRequests(workbench(t), plan);
  assert.ok(failedByKill < sent / 100, `${failedByKill} of ${sent}`);
  assert.deepEqual(outcome, { failedOtherwise: [], repeated: 0, unseen: 0, versions: 3 });
});
