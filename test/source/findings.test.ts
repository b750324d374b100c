/**
 * The fixtures of every code: what must be found with all texts and locations, and what must not be found.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from './checkProject.ts';
import { FIXTURES } from './findings/all.ts';
import { parseFixture } from './fixture.ts';

describe('findings', () => {
  for (const [code, { fires, silent }] of Object.entries(FIXTURES)) {
    describe(code, () => {
      it('has at least two fixtures with the finding, and at least three without', () => {
        assert.ok(fires.length >= 2, `${fires.length} fire`);
        assert.ok(silent.length >= 3, `${silent.length} without`);
      });

      for (const [title, fixture] of fires) {
        it(`finds: ${title}`, async () => {
          const marked = parseFixture(fixture).findings.filter((finding) => finding.code === code);
          assert.ok(marked.length > 0, 'the fixture marks a finding of the code');
          assert.ok(
            marked.every(({ texts }) => texts !== null),
            'the fixture has each message of the code',
          );
          await check(fixture);
        });
      }

      for (const [title, fixture] of silent) {
        it(`ignores: ${title}`, async () => {
          const marked = parseFixture(fixture).findings.filter((finding) => finding.code === code);
          assert.deepEqual(marked, []);
          await check(fixture, { also: code });
        });
      }
    });
  }
});
