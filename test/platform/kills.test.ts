import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killPlatform, killWorkers } from './killRounds.ts';

// A few rounds of test/long.
for (const [what, rounds] of [
  ['the platform', killPlatform],
  ['workers', killWorkers],
] as const) {
  test(`kill -9 of ${what} under a stream of run loses no acknowledged job`, async () => {
    const tally = await rounds(4);
    assert.ok(tally.acknowledged > 20, JSON.stringify(tally));
    assert.equal(tally.lost, 0, JSON.stringify(tally));
  });
}
