import { describe, it } from 'node:test';
import { checkMovedImports } from '../source/fixes/checkMovedImports.ts';
import { PACKAGES } from '../source/packages.ts';

describe('moved imports of real packages', () => {
  it('miss no name that was there before, in many packages', (t) => checkMovedImports(t, PACKAGES, 3_000));
});
