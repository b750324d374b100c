import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killPlatform } from '../platform/killRounds.ts';

test('100 × kill -9 of the platform under a stream of run loses no acknowledged job', async (t) => {
  const tally = await killPlatform(100);
  t.diagnostic(JSON.stringify(tally));
  assert.equal(tally.lost, 0);
});
