/** Work that an edit does not cause, counted by the server itself and by the messages to the client. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import type { ServerStatistics } from '../../runtime/contract/editorMessages.ts';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const WORKER = `import os
from toolkit_sdk import Endpoint


@Endpoint(name="one", workers=(0, 40))
def run(count: int):
    """Run it."""
    total = 0
    return total


@Endpoint(name="two")
def other():
    """Other."""
    return 2
`;

const at = (line: number, character: number) => ({ start: { line, character }, end: { line, character } });

async function started() {
  const root = writeProject({
    'worker.py': WORKER,
    'plain.py': 'x = 1\n',
    'b/c.py': WORKER.replace(/name="(\w+)"/g, 'name="$1-c"'),
  });
  const client = await LanguageClient.start({ folders: [root] });
  const uri = uriOf(root, 'worker.py');
  await client.open(uri, WORKER);
  return { root, client, uri, before: await client.settled() };
}

const sent = ({ recomputations, treesSent, diagnosticsSent, filesRead }: ServerStatistics) => ({
  recomputations,
  treesSent,
  diagnosticsSent,
  filesRead,
});

it('an edit that keeps the facts equal recomputes nothing, sends nothing and reads nothing', async () => {
  const { client, uri, before } = await started();
  const publications = client.publications.length;
  const trees = client.trees.length;
  for (const [place, character] of [...'_of_all_counts2'].entries()) {
    await client.change(uri, { range: at(8, 16 + place), text: character });
  }
  await client.change(uri, { range: at(8, 31), text: ' + len([item for item in (1, 2)])' });
  await client.change(uri, { range: at(7, 12), text: '1' });
  await client.change(uri, { range: at(7, 14), text: '  # why' });
  assert.deepEqual(sent(await client.settled()), sent(before));
  assert.equal(client.publications.length, publications);
  assert.equal(client.trees.length, trees);
  await client.stop();
});

it('typing a new line in a body moves the code below it, and sends no tree', async () => {
  const { client, uri, before } = await started();
  const found = client.diagnosticsOf(uri).map(({ range }) => range.start.line);
  await client.change(uri, { range: at(7, 13), text: '\n    more = 1\n    more += 1' });
  const { treesSent } = await client.settled();
  assert.equal(treesSent, before.treesSent);
  assert.deepEqual(
    client.diagnosticsOf(uri).map(({ range }) => range.start.line),
    found.map((line) => (line > 7 ? line + 2 : line)),
  );
  await client.stop();
});

it('a real change sends the tree once, however many keystrokes it takes', async () => {
  const { client, uri, before } = await started();
  for (const digit of ['1', '12', '123']) {
    const line = `@Endpoint(name="one", workers=(0, ${digit}))`;
    await client.change(uri, { range: { start: at(4, 0).start, end: at(4, 200).end }, text: line });
  }
  const after = await client.settled();
  assert.equal(after.treesSent - before.treesSent, 1);
  assert.equal(after.recomputations - before.recomputations, 1);
  const [project] = client.trees.at(-1)!.projects;
  assert.deepEqual(project?.endpoints.map(({ name, quotaShare }) => [name, quotaShare]).slice(-2), [
    ['one', 123],
    ['two', 3],
  ]);
  await client.stop();
});

it('a saved file and a new file are read once, and no other', async () => {
  const { root, client, before } = await started();
  const plain = path.join(root, 'plain.py');
  writeFileSync(plain, 'x = 2\n');
  await client.changedOnDisk(['changed', plain]);
  const after = await client.settled();
  assert.equal(after.filesRead - before.filesRead, 1);
  const created = path.join(root, 'b/new.py');
  writeFileSync(created, 'x = 2\n');
  await client.changedOnDisk(['made', created]);
  assert.equal((await client.settled()).filesRead - after.filesRead, 1);
  await client.stop();
});

it('a declaring file that is saved is read once, and not at all when it is open', async () => {
  const { root, client, before: after } = await started();
  const declaring = path.join(root, 'b/c.py');
  writeFileSync(declaring, '@Endpoint(name="three")\ndef third(): ...\n', { flag: 'a' });
  await client.changedOnDisk(['changed', declaring]);
  assert.equal((await client.settled()).filesRead - after.filesRead, 1);
  const worker = path.join(root, 'worker.py');
  writeFileSync(worker, WORKER);
  await client.notify('textDocument/didSave', { textDocument: { uri: uriOf(worker) } });
  await client.changedOnDisk(['changed', worker]);
  assert.equal((await client.settled()).filesRead - after.filesRead, 1);
  await client.stop();
});
