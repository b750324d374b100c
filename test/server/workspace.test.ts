import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const SDK = 'from toolkit_sdk import Endpoint\n';
const WRONG = `${SDK}\n@Endpoint(workers=(3, 1))\ndef run():\n    """Run."""\n`;
const RIGHT = WRONG.replace('(3, 1)', '(1, 3)');

const codesOf = (client: LanguageClient, uri: string) => client.diagnosticsOf(uri).map(({ code }) => code);

it('publishes the findings of files that nobody has opened, and takes them back with their folder', async () => {
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

it('lets the open text win over the disk, and the disk again when it is closed', async () => {
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

it('follows files that are made, changed and deleted on disk', async () => {
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
