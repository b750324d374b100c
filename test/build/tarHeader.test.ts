/** Headers of files whose size or name is at the limit of the format. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { tarHeader } from '../../runtime/build/archive/tarHeader.ts';

/** The largest size in eleven octal digits. */
const LARGEST = 8 ** 11 - 1;

/** What GNU tar reads from a header without its content: mode, owner, size, date and name. */
function listed(header: Buffer): string {
  const { stdout } = spawnSync('tar', ['tv', '--utc'], { input: header, encoding: 'utf8' });
  return stdout.trim().split(/\s+/).join(' ');
}

for (const name of ['model.bin', `${'deep/'.repeat(30)}model.bin`]) {
  for (const size of [0, LARGEST, LARGEST + 1]) {
    test(`a file of ${size} bytes with a name of ${name.length} characters is read as such`, () => {
      assert.equal(listed(tarHeader(name, size, 0o644)), `-rw-r--r-- 0/0 ${size} 1980-01-01 00:00 ${name}`);
    });
  }
}

test('a size that fits is in the header itself, for readers without pax', () => {
  const header = tarHeader(`${'deep/'.repeat(30)}model.bin`, LARGEST, 0o644).subarray(-512);
  assert.equal(header.toString('latin1', 124, 135), '77777777777');
});
