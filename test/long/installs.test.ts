/** Artifacts with the packages that people deploy: each has the versions and the files that uv installs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { compareInstall } from '../build/compareInstall.ts';

const lines = readFileSync(path.join(import.meta.dirname, 'installs.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

describe('an artifact with the packages of a line of installs.txt', () => {
  const counts = { equal: 0, packages: 0, files: 0 };

  for (const line of lines) {
    it(`has the files that uv installs: ${line}`, async () => {
      const { differences, packages, files } = await compareInstall(line.split(' '));
      assert.deepEqual(differences, []);
      counts.equal += 1;
      counts.packages += packages;
      counts.files += files;
    });
  }

  it('has them for every line', (t) => {
    const { equal, packages, files } = counts;
    t.diagnostic(`${equal} of ${lines.length} equal: ${packages} packages, ${files} files`);
    assert.equal(equal, lines.length);
  });
});
