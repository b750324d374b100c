import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { workbench } from '../setup/toolkit.ts';
import { deployRandomPairs } from './randomDeploys.ts';

describe('random projects deployed one after the other', () => {
  const bench = workbench({ after });

  it("match their plans, according to the platform's own log", async () => {
    assert.equal(await deployRandomPairs(bench, 4, 20), 4);
  });
});
