import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freezeWorkers, killAgent, killNodes, killWorkers } from '../platform/killRounds.ts';

test('100 × kill -9 of workers under a stream of run loses no acknowledged job', async (t) => {
  const tally = await killWorkers(100);
  t.diagnostic(JSON.stringify(tally));
  assert.equal(tally.lost, 0);
});

test('100 × kill -9 of the node agent under a stream of run loses no acknowledged job', async (t) => {
  const tally = await killAgent(100);
  t.diagnostic(JSON.stringify(tally));
  assert.equal(tally.lost, 0);
});

test('100 × kill -9 of the agents of two nodes under a stream of run loses no acknowledged job', async (t) => {
  const tally = await killNodes(100);
  t.diagnostic(JSON.stringify(tally));
  assert.equal(tally.lost, 0);
});

test('workers frozen past their lease and resumed: no stale result is accepted', async (t) => {
  const tally = await freezeWorkers(3);
  t.diagnostic(JSON.stringify(tally));
  assert.deepEqual(tally, { frozen: 3, ranAgain: 3, staleAccepted: 0 });
});
