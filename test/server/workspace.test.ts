import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const SDK = 'from toolkit_sdk import Endpoint\n';
const WRONG = `${SDK}\n@Endpoint(workers=(3, 1))\ndef run():\n    """Run."""\n`;
const RIGHT = WRONG.replace('(3, 1)', '(1, 3)');

const codesOf = (client: LanguageClient, uri: string) => client.diagnosticsOf(uri).map(({ code }) => code);

it('publishes the findings of closed files, and withdraws them with their folder', async () => {
  const root = writeProject({ 'a.py': WRONG });
  const other = writeProject({ 'a.py': WRONG });
  const client = await LanguageClient.start({ folders: [root] });
  assert.deepEqual(codesOf(client, uriOf(root, 'a.py')), ['invalid-workers']);
  await client.addFolder(other);
  assert.deepEqual(codesOf(client, uriOf(other, 'a.py')), ['invalid-workers']);
  await client.removeFolder(root);
  assert.deepEqual(codesOf(client, uriOf(root, 'a.py')), []);
  assert.deepEqual(codesOf(client, uriOf(other, 'a.py')), ['invalid-workers']);
  await client.stop();
});

it('uses the text of an open file instead of the disk, and the disk again when it is closed', async () => {
  const root = writeProject({ 'a.py': WRONG });
  const uri = uriOf(root, 'a.py');
  const client = await LanguageClient.start({ folders: [root] });
  await client.open(uri, RIGHT);
  await client.settled();
  assert.deepEqual(codesOf(client, uri), []);
  writeFileSync(path.join(root, 'a.py'), `${WRONG}# changed\n`);
  await client.changedOnDisk(['changed', path.join(root, 'a.py')]);
  assert.deepEqual(codesOf(client, uri), []);
  await client.close(uri);
  await client.settled();
  assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
  await client.stop();
});

it('follows files that are created, changed and deleted on disk', async () => {
  const root = makeFolder();
  const file = path.join(root, 'a.py');
  const client = await LanguageClient.start({ folders: [root] });
  writeFileSync(file, WRONG);
  await client.changedOnDisk(['made', file]);
  assert.deepEqual(codesOf(client, uriOf(file)), ['invalid-workers']);
  writeFileSync(file, RIGHT);
  await client.changedOnDisk(['changed', file]);
  assert.deepEqual(codesOf(client, uriOf(file)), []);
  writeFileSync(file, WRONG);
  await client.changedOnDisk(['changed', file]);
  rmSync(file);
  await client.changedOnDisk(['deleted', file]);
  assert.deepEqual(codesOf(client, uriOf(file)), []);
  await client.stop();
});

it('follows a folder that is replaced by another one with files of the same names', async () => {
  const root = writeProject({ 'jobs/a.py': WRONG, 'next/a.py': RIGHT.replace('run', 'next_run') });
  const client = await LanguageClient.start({ folders: [root] });
  assert.deepEqual(codesOf(client, uriOf(root, 'jobs/a.py')), ['invalid-workers']);
  const [jobs, next] = [path.join(root, 'jobs'), path.join(root, 'next')];
  renameSync(jobs, path.join(makeFolder(), 'gone'));
  renameSync(next, jobs);
  // Editors report the folders, not the files in them.
  await client.changedOnDisk(['deleted', next], ['made', jobs]);
  assert.deepEqual(codesOf(client, uriOf(root, 'jobs/a.py')), []);
  await client.stop();
});
