/** The kept dependencies parts in TOOLKIT_HOME. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePart } from '../../runtime/build/dependencyPart.ts';
import { scratch, writeTree } from './scratch.ts';

test('a killed build leaves no unfinished part behind for longer than the next one', async () => {
  const home = scratch();
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeTree(path.join(home, 'cache/parts'), {
    [`one.tar.gz.${pid}.tmp`]: 'of a process that is gone',
    [`two.tar.gz.${process.ppid}.tmp`]: 'of one that runs',
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
