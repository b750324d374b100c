/** The working folder of a build, which users may remove at any moment. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { closeBuildDir, openBuildDir } from '../../runtime/build/buildDir.ts';
import { scratch } from './scratch.ts';

test('is removed with its files, unless they are kept', async () => {
  const root = scratch();
  const parent = path.join(root, '.toolkit/.build');
  for (const keep of [false, true]) {
    const folder = await openBuildDir(root);
    writeFileSync(path.join(folder, 'part'), '');
    await closeBuildDir(root, folder, keep);
    assert.deepEqual([existsSync(folder), existsSync(path.join(parent, 'part'))], [false, keep]);
  }
});

test('can be removed during the build', async () => {
  const root = scratch();
  const folder = await openBuildDir(root);
  rmSync(path.join(root, '.toolkit'), { recursive: true });
  await closeBuildDir(root, folder, false);
});
