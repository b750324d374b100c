import { describe, it } from 'node:test';
import { checkMovedImports } from '../source/fixes/checkMovedImports.ts';
import { PACKAGES } from '../source/packages.ts';

describe('moved imports of real packages', () => {
  it('lack no name that was there before, in all packages', (t) =>
    checkMovedImports(
      t,
      PACKAGES.map(([distribution]) => distribution),
      3_000,
    ));
});
