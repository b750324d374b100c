/** The edit between two texts, which decides what is read again. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wholeTextEdit } from '../../runtime/source/snapshot/textEdit.ts';

it('leaves out what two texts have in common at their beginning and end, and nothing else', () => {
  const texts = ['', 'a', 'b', 'aa', 'ab', 'ba', 'aba', 'abba', 'abab', 'aabb', 'abcab'];
  for (const before of texts) {
    for (const after of texts) {
      const { start, oldEnd, newEnd } = wholeTextEdit(before, after);
      const shown = `${before} → ${after}: ${start} ${oldEnd} ${newEnd}`;
      assert.equal(before.slice(0, start) + after.slice(start, newEnd) + before.slice(oldEnd), after, shown);
      const [removed, added] = [before.slice(start, oldEnd), after.slice(start, newEnd)];
      assert.ok(removed === '' || added === '' || removed[0] !== added[0], shown);
      assert.ok(removed === '' || added === '' || removed.at(-1) !== added.at(-1), shown);
    }
  }
});
