import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killDeploys } from '../platform/killDeploys.ts';
import { killPlatform } from '../platform/killRounds.ts';

test('100 × kill -9 of the platform under a stream of run loses no acknowledged job', async (t) => {
  const tally = await killPlatform(100);
  t.diagnostic(JSON.stringify(tally));
  assert.equal(tally.lost, 0);
});

test('50 × kill -9 at any moment of a deploy leaves one complete build serving', async (t) => {
  const tally = await killDeploys(50);
  t.diagnostic(JSON.stringify(tally));
  assert.ok(tally.former > 0 && tally.switched > 0, 'kills happened before and after the switch');
});
