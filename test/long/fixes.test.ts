import { describe, it } from 'node:test';
import { checkEditedTexts } from '../source/fixes/checkEditedTexts.ts';

describe('fixes of edited texts', () => {
  it('never fail, never overlap, and break nothing that was valid, in 20,000 texts', (t) =>
    checkEditedTexts(t, 20_000));
});
