/** The order of wheels, compared with `packaging`, which pip uses. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { bestWheel, TARGET_PLATFORMS } from '../../runtime/build/dependencies/targetTags.ts';

const PYTHON = path.join(import.meta.dirname, '../../.venv/bin/python');

const LIST_TAGS = `
import sys
from packaging.tags import compatible_tags, cpython_tags
minor, platforms = int(sys.argv[1]), sys.argv[2].split(",")
own = f"cp3{minor}"
tags = [*cpython_tags((3, minor), [own], platforms), *compatible_tags((3, minor), own, platforms)]
print(*dict.fromkeys(map(str, tags)), sep="\\n")
`;

for (const python of ['3.10', '3.12', '3.14']) {
  test(`picks the same wheel as pip for Python ${python}, for each pair of neighboring tags`, () => {
    const args = ['-c', LIST_TAGS, python.slice(2), TARGET_PLATFORMS.join(',')];
    const tags = execFileSync(PYTHON, args, { encoding: 'utf8' }).trim().split('\n');
    assert.ok(tags.length > 500, `${tags.length} tags`);
    const taken = tags.slice(1).map((tag, index) => {
      const pair = [`demo-1.0-${tag}.whl`, `demo-1.0-${tags[index]!}.whl`];
      return bestWheel(pair, python, (file) => file);
    });
    assert.deepEqual(
      taken,
      tags.slice(0, -1).map((tag) => `demo-1.0-${tag}.whl`),
    );
  });
}

test("uses the best of a wheel's dotted tags, and prefers the later build of equal ones", () => {
  const best = (...files: string[]) => bestWheel(files, '3.12', (file) => file);
  const joined = 'demo-1.0-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl';
  assert.equal(best('demo-1.0-py2.py3-none-any.whl', joined), joined);
  const rebuilt = 'demo-1.0-10-py3-none-any.whl';
  assert.equal(best('demo-1.0-py3-none-any.whl', 'demo-1.0-9b-py3-none-any.whl', rebuilt), rebuilt);
});

test('uses a wheel for another machine only when there is no other', () => {
  const best = (...files: string[]) => bestWheel(files, '3.12', (file) => file);
  const foreign = 'demo-1.0-cp312-cp312-win_amd64.whl';
  assert.equal(best(foreign, 'demo-1.0-py3-none-any.whl'), 'demo-1.0-py3-none-any.whl');
  assert.equal(best(foreign), foreign);
});
