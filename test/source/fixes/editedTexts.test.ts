import { describe, it } from 'node:test';
import { checkEditedTexts } from './checkEditedTexts.ts';

describe('fixes of edited texts', () => {
  it('never fail, never overlap, and break nothing that was valid, in 300 texts', (t) =>
    checkEditedTexts(t, 300));
});
