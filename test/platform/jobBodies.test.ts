import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobBody } from '../../runtime/platform/jobs/bodies.ts';
import type { Job } from '../../runtime/platform/jobs/jobStore.ts';

const ENDED: Job = {
  id: 'a-u1',
  endpoint: 'e',
  state: 'COMPLETED',
  created: 1_000,
  started: 1_030,
  finished: 1_050,
  worker: 'w',
  attempt: 1,
  retries: 0,
  webhook: null,
  output: '7',
  error: null,
};

function timesOf(job: Job): unknown[] {
  const { delayTime, executionTime } = JSON.parse(jobBody(job).join('')) as Record<string, unknown>;
  return [delayTime, executionTime];
}

test('the times of a job are its wait and its run, in milliseconds', () => {
  assert.deepEqual(timesOf(ENDED), [30, 20]);
  assert.deepEqual(timesOf({ ...ENDED, state: 'IN_PROGRESS', finished: null }), [30, undefined]);
});

test('a job that never started has only waited', () => {
  assert.deepEqual(timesOf({ ...ENDED, state: 'CANCELLED', started: null }), [50, 0]);
});

test('the times of a job are never negative, though the clock was set back', () => {
  assert.deepEqual(timesOf({ ...ENDED, started: 900, finished: 800 }), [0, 0]);
  assert.deepEqual(timesOf({ ...ENDED, state: 'IN_PROGRESS', started: 900, finished: null }), [0, undefined]);
});
