import { describe, it } from 'node:test';
import { PACKAGES } from '../packages.ts';
import { checkMovedImports } from './checkMovedImports.ts';

describe('moved imports of real packages', () => {
  it('miss no name that was there before, in three packages', (t) =>
    checkMovedImports(
      t,
      PACKAGES.filter(({ name }) => /^(?:fastapi|flask|sanic)$/.test(name)),
      50,
    ));
});
