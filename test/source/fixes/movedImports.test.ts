import { describe, it } from 'node:test';
import { PACKAGES } from '../packages.ts';
import { checkMovedImports } from './checkMovedImports.ts';

describe('moved imports of real packages', () => {
  it('lack no name that was there before, in three packages', (t) =>
    checkMovedImports(
      t,
      PACKAGES.map(([distribution]) => distribution).filter((distribution) =>
        /^(?:fastapi|flask|sanic)-/.test(distribution),
      ),
      50,
    ));
});
