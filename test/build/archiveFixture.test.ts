/**
 * The archive that the tests of Python's unpacker read is the one that the writer makes, so both sides agree
 * on the format.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { expectedFiles, makeArchive } from '../fixtures/archive/make.ts';
import { readTar } from './readTar.ts';

const folder = path.join(import.meta.dirname, '../fixtures/archive');
const kept = (name: string) => readFileSync(path.join(folder, name));

test('the writer still writes the shared archive', async () => {
  const made = await makeArchive();
  const expected = kept('files.json').toString();
  assert.equal(expectedFiles(await readTar(made.artifact)), expected);
  assert.equal(
    expectedFiles(await readTar(Buffer.concat([kept('dependencies.part'), kept('code.part')]))),
    expected,
  );
});

test('the writer gives the same bytes each time', async () => {
  const [first, second] = [await makeArchive(), await makeArchive()];
  assert.ok(first.artifact.equals(second.artifact));
});
