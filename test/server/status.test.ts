/** The server's status for a client that asks for it: indexing, quiet, and problems. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const WORKER = 'from toolkit_sdk import Endpoint\n@Endpoint(name="a")\ndef a(): ...\n';
const BROKEN = '[project\nname = "shop"\n';
const OK = { health: 'ok', activity: 'quiet', message: null };

it('the status is indexing until the projects are read, then quiet', async () => {
  const root = writeProject({ 'a.py': WORKER });
  const client = await LanguageClient.start({ folders: [root], options: { status: true } });
  assert.deepEqual(client.statuses.at(0), { ...OK, activity: 'indexing' });
  assert.deepEqual(client.statuses.at(-1), OK);
  const other = writeProject({ 'b.py': WORKER });
  const before = client.statuses.length;
  await client.addFolder(other);
  assert.deepEqual(client.statuses.slice(before), [{ ...OK, activity: 'indexing' }, OK]);
  await client.stop();
});

it('the status is a warning while pyproject.toml is invalid, which is a problem of the project', async () => {
  const root = writeProject({ 'a.py': WORKER, 'pyproject.toml': BROKEN });
  const client = await LanguageClient.start({ folders: [root], options: { status: true } });
  const { health, activity, message } = client.statuses.at(-1)!;
  assert.deepEqual([health, activity], ['warning', 'quiet']);
  assert.match(message!, /^pyproject\.toml: line 1, /);
  const [problem] = client.trees.at(-1)!.projects[0]!.problems;
  assert.deepEqual(
    [problem?.code, problem?.severity, problem?.uri, problem?.range.start.line],
    ['PROJECT_CONFIG', 'error', uriOf(root, 'pyproject.toml'), 0],
  );
  writeFileSync(path.join(root, 'pyproject.toml'), '[project]\nname = "shop"\n');
  await client.changedOnDisk(['changed', path.join(root, 'pyproject.toml')]);
  assert.deepEqual(client.statuses.at(-1), OK);
  assert.deepEqual(client.trees.at(-1)!.projects[0]!.problems, []);
  await client.stop();
});

it('the status is not sent to a client that does not ask for it', async () => {
  const client = await LanguageClient.start({ folders: [writeProject({ 'a.py': WORKER })] });
  assert.deepEqual(client.statuses, []);
  await client.stop();
});
