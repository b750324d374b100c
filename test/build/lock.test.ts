import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { writeLock } from '../../runtime/build/dependencies/lock.ts';
import { scratch, writeTree } from './scratch.ts';

test('a lock that cannot be replaced leaves no temporary file', async () => {
  const root = scratch('lock');
  writeTree(root, { 'pylock.toml/a folder.txt': '' });
  await assert.rejects(writeLock(root, 'lock-version = "1.0"\n'), { code: /^(?:EISDIR|ENOTEMPTY|EEXIST)$/ });
  assert.deepEqual(readdirSync(root), ['pylock.toml']);
});
