/** The toolkit's compiled code, cached in TOOLKIT_HOME, makes commands faster and changes nothing else. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { workbench } from '../setup/toolkit.ts';

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => statSync(file).isFile());

describe('compiled code in TOOLKIT_HOME', () => {
  it('is kept between commands, and compiled again when damaged', async (t) => {
    const bench = workbench(t);
    // Not the cache that the tests share.
    rmSync(path.join(bench.home, 'cache'));
    const folder = path.join(bench.home, 'cache/compile');
    const project = bench.project('compiled', { 'pyproject.toml': '' });
    const check = () => bench.toolkit(project, ['check']);
    const first = await check();
    assert.equal(first.code, 0, first.stderr);
    const kept = filesIn(folder);
    assert.ok(kept.length > 0);
    for (const file of kept) writeFileSync(file, readFileSync(file).subarray(0, 100));
    assert.equal((await check()).stdout, first.stdout);
    assert.ok(filesIn(folder).some((file) => statSync(file).size > 100));
  });

  it('is not cached when the folder cannot be created', async (t) => {
    const bench = workbench(t);
    rmSync(path.join(bench.home, 'cache'));
    writeFileSync(path.join(bench.home, 'cache'), 'a file in the way');
    const checked = await bench.toolkit(bench.project('uncompiled', { 'pyproject.toml': '' }), ['check']);
    assert.equal(checked.code, 0, checked.stderr);
    assert.equal(checked.stderr, '');
  });
});
