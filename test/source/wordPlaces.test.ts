/** Which ranges of a text contain a whole word: a walk skips all other nodes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WordPlaces } from '../../runtime/source/binder/WordPlaces.ts';

const TEXT = 'one = two\nones = 2two + xone';

for (const names of [['two'], ['two', 'absent']]) {
  it(`finds ${names.join(' and ')} only in ranges where the word begins`, () => {
    const places = new WordPlaces(TEXT, new Set(names));
    const isIn = (startIndex: number, endIndex: number) => places.isIn({ startIndex, endIndex });
    const [first, second] = [TEXT.indexOf('two'), TEXT.lastIndexOf('two')];
    assert.deepEqual(
      [isIn(0, TEXT.length), isIn(first, first + 1), isIn(second, second + 1)],
      [true, true, true],
    );
    assert.deepEqual(
      [isIn(0, first), isIn(first + 1, second), isIn(second + 1, TEXT.length), isIn(first, first)],
      [false, false, false, false],
    );
  });
}

it('finds no parts of words', () => {
  const places = new WordPlaces(TEXT, new Set(['one']));
  assert.equal(places.isIn({ startIndex: 0, endIndex: 1 }), true);
  assert.equal(places.isIn({ startIndex: 1, endIndex: TEXT.length }), false);
});
