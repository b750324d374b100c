import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { deployRandomPairs } from '../deploy/randomDeploys.ts';
import { workbench } from '../setup/toolkit.ts';

describe('100 random pairs of projects deployed one after the other', () => {
  const bench = workbench({ after });

  it("match their plans, according to the platform's own log, 100 of 100", async (t) => {
    const seed = randomInt(2 ** 31);
    const equal = await deployRandomPairs(bench, 100, seed);
    t.diagnostic(`seed ${seed}: ${equal} of 100 equal`);
    assert.equal(equal, 100);
  });
});
