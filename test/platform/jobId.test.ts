import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runId, runsyncId } from '../../runtime/platform/jobs/jobId.ts';

describe('the ids of jobs', () => {
  it('contain a UUID of version 7, in order of time', async () => {
    const ids: string[] = [];
    const before = Date.now();
    for (let made = 0; made < 5; made += 1) {
      ids.push(runId());
      await sleep(5);
    }
    assert.deepEqual(ids.toSorted(), ids);
    for (const id of ids) {
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-u1$/);
      const time = Number.parseInt(id.slice(0, 13).replace('-', ''), 16);
      assert.ok(Math.abs(time - before) < 60_000, id);
    }
  });

  it('differ within a millisecond, and show which call created them', () => {
    const ids = Array.from({ length: 1_000 }, runsyncId);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^sync-[0-9a-f-]{36}-u1$/);
  });
});
