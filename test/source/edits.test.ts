import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { tryEdits } from './randomEdits.ts';
import { libraryTexts, ownTexts } from './realTexts.ts';

describe('random edits of real files', () => {
  it('leave a live document with the facts of a full reading', async (t) => {
    const seed = randomInt(2 ** 30);
    t.diagnostic(`seed ${seed}`);
    const texts = [...ownTexts(), ...libraryTexts(40)];
    const tried = tryEdits(await loadWasmParser(), texts, { rounds: 3, seed, lines: 120 });
    t.diagnostic(`${tried} edits`);
    assert.ok(tried >= 300);
  });
});
