/**
 * Packages unrelated to the toolkit: no finding and no declaration in any of their files, alone and next to
 * endpoints of the project.
 */
import { before, describe, it } from 'node:test';
import { checkAlone, checkBeside } from './checkPackage.ts';
import { ensurePackages, PACKAGES } from './packages.ts';

describe('packages unrelated to the toolkit', () => {
  before(() => ensurePackages(PACKAGES));

  for (const one of PACKAGES) {
    it(`${one.name}: no findings and no declarations`, () => checkAlone(one));
    it(`${one.name}: no findings next to endpoints that use it`, async () => void (await checkBeside(one)));
  }
});
