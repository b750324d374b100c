/**
 * Packages that have nothing to do with the toolkit: no finding and no declaration in any of their files, alone and
 * beside endpoints of the project.
 */
import { before, describe, it } from 'node:test';
import { checkAlone, checkBeside } from './checkPackage.ts';
import { ensurePackages, PACKAGES } from './packages.ts';

describe('packages that have nothing to do with the toolkit', () => {
  before(() => ensurePackages(PACKAGES));

  for (const one of PACKAGES) {
    it(`${one.name}: nothing is found, and nothing is declared`, () => checkAlone(one));
    it(`${one.name}: nothing is found beside endpoints that use it`, async () =>
      void (await checkBeside(one)));
  }
});
