import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailedKeys } from '../../runtime/platform/auth/failedKeys.ts';

test('after ten wrong keys, the wait lasts until the first of them is a minute old', () => {
  const keys = new FailedKeys();
  const start = 1_000_000;
  for (let count = 0; count < 10; count += 1) assert.equal(keys.note(start + 1_000 * count), 0);
  assert.equal(keys.note(start + 20_000), 40);
  assert.equal(keys.note(start + 59_900), 1);
  assert.equal(keys.note(start + 60_000), 0);
  // In place of the first one. The second is the oldest now.
  assert.equal(keys.note(start + 60_500), 1);
});
