/** A sha256 that is saved and resumed, compared with Node's own. */
import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { test } from 'node:test';
import { ResumableHash, sha256Padding } from '../../runtime/build/resumableHash.ts';

const rest = Buffer.from('what comes behind');

test('continues from a saved state', async () => {
  const before = await ResumableHash.start();
  before.update(Buffer.alloc(1000, 7));
  const after = await ResumableHash.resume(before.save());
  after.update(rest);
  assert.equal(after.digest(), hash('sha256', Buffer.concat([Buffer.alloc(1000, 7), rest])));
});

test('continues after the padding of a message of any length, given only its digest', async () => {
  for (const length of [...Array.from({ length: 200 }, (_, at) => at), 4096, 1_000_003]) {
    const message = Buffer.alloc(length, 'toolkit');
    const resumed = await ResumableHash.behindPadding(createHash('sha256').update(message).digest(), length);
    resumed.update(rest);
    const whole = Buffer.concat([message, sha256Padding(length), rest]);
    assert.equal(resumed.digest(), hash('sha256', whole), `${length} bytes`);
  }
});
