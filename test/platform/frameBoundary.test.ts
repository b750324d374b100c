import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { FrameBoundary } from '../../runtime/platform/gateway/frameBoundary.ts';

/** A WebSocket frame with a payload of zeros. */
function frame(size: number, masked: boolean): Buffer {
  const length =
    size < 126 ? [size] : size < 65_536 ? [126, size >> 8, size & 255] : [127, 0, 0, 0, 0, 0, 1, 0, 0];
  length[0]! += masked ? 128 : 0;
  return Buffer.from([0x82, ...length, ...(masked ? [1, 2, 3, 4] : []), ...Buffer.alloc(size)]);
}

test('finds the end of frames with every form of length, however their bytes are split', () => {
  for (let round = 0; round < 300; round += 1) {
    const sizes = Array.from({ length: 5 }, () => [0, 1, 125, 126, 127, 65_535, 65_536][randomInt(7)]!);
    const frames = sizes.map((size) => frame(size, randomInt(2) === 0));
    const bytes = Buffer.concat(frames);
    let end = 0;
    const ends = new Set(frames.map((one) => (end += one.length)));
    const boundary = new FrameBoundary();
    assert.ok(boundary.isBetweenFrames);
    for (let at = 0; at < bytes.length; ) {
      const next = Math.min(bytes.length, at + 1 + randomInt([2, 10, 100_000][randomInt(3)]!));
      boundary.pass(bytes.subarray(at, next));
      assert.equal(boundary.isBetweenFrames, ends.has(next), `${sizes.join(', ')} at ${next}`);
      at = next;
    }
  }
});
