/** Every code's fixtures: what must be found with its whole text and places, and what must not be. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from './checkProject.ts';
import { FIXTURES } from './findings/all.ts';
import { parseFixture } from './fixture.ts';

describe('findings', () => {
  for (const [code, { fires, silent }] of Object.entries(FIXTURES)) {
    describe(code, () => {
      it('has two fixtures at least that fire, and three at least that do not', () => {
        assert.ok(fires.length >= 2, `${fires.length} fire`);
        assert.ok(silent.length >= 3, `${silent.length} are silent`);
      });

      for (const [title, fixture] of fires) {
        it(`finds: ${title}`, async () => {
          const marked = parseFixture(fixture).findings.filter((finding) => finding.code === code);
          assert.ok(marked.length > 0, 'the fixture marks a finding of the code');
          assert.ok(
            marked.every(({ texts }) => texts !== null),
            'the fixture tells each message of the code',
          );
          await check(fixture);
        });
      }

      for (const [title, fixture] of silent) {
        it(`leaves alone: ${title}`, async () => {
          const marked = parseFixture(fixture).findings.filter((finding) => finding.code === code);
          assert.deepEqual(marked, []);
          await check(fixture, { also: code });
        });
      }
    });
  }
});
