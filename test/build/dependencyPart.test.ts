/** The dependencies parts that are cached in TOOLKIT_HOME. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePart } from '../../runtime/build/dependencyPart.ts';
import { scratch, writeTree } from './scratch.ts';

test('the unfinished part of a killed build is removed by the next build', async () => {
  const home = scratch();
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeTree(path.join(home, 'cache/parts'), {
    [`one.tar.gz.${pid}.tmp`]: 'of a process that has ended',
    [`two.tar.gz.${process.ppid}.tmp`]: 'of a running process',
  });
  const { content } = await makePart('all', [], {
    toolkitHome: home,
    signal: new AbortController().signal,
    report: () => {},
  });
  assert.deepEqual(
    readdirSync(path.join(home, 'cache/parts')).toSorted(),
    [`${content}.json`, `${content}.tar.gz`, `two.tar.gz.${process.ppid}.tmp`].toSorted(),
  );
});
