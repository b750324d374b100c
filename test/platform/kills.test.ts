import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killDeploys } from './killDeploys.ts';
import { killAgent, killPlatform, killWorkers } from './killRounds.ts';

// A few rounds of the tests in test/long.
for (const [what, rounds] of [
  ['the platform', killPlatform],
  ['the node agent', killAgent],
  ['workers', killWorkers],
] as const) {
  test(`kill -9 of ${what} under a stream of run loses no acknowledged job`, async () => {
    const tally = await rounds(4);
    assert.ok(tally.acknowledged > 20, JSON.stringify(tally));
    assert.equal(tally.lost, 0, JSON.stringify(tally));
  });
}

test('kill -9 at any moment of a deploy leaves one build serving whole', async () => {
  const tally = await killDeploys(3);
  assert.equal(tally.former + tally.switched, 3);
});
