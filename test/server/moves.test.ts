/**
 * Files, folders and projects that are created, removed and moved while documents are open: nothing is lost,
 * stale or published twice.
 */
import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const SDK = 'from toolkit_sdk import Endpoint\n';
const WRONG = `${SDK}\n@Endpoint(workers=(3, 1))\ndef run():\n    """Run."""\n`;
const named = (name: string) => `${SDK}\n@Endpoint(name="${name}")\ndef run():\n    """Run."""\n`;
const TABLE = '[tool.toolkit]\napp = "inner"\n';
const OUTER = '[project]\nname = "outer"\n';

const codesOf = (client: LanguageClient, uri: string) =>
  client
    .diagnosticsOf(uri)
    .map(({ code }) => code)
    .sort();
const namesOf = (client: LanguageClient) =>
  client.trees.at(-1)?.projects.map(({ app, endpoints }) => [app, ...endpoints.map(({ name }) => name)]);

it('a file outside every project shows nothing of its neighbors, and uses those that it can import', async () => {
  const root = writeProject({ 'a.py': 'x = 1\n' });
  const loose = writeProject({ 'b.py': '', 'json.py': 'x = 1\n', 'helper.py': 'x = 1\n' });
  const client = await LanguageClient.start({ folders: [root] });
  const uri = uriOf(loose, 'b.py');
  await client.open(uri, `import helper\n${named('one')}`);
  await client.settled();
  assert.deepEqual(codesOf(client, uri), []);
  assert.deepEqual(codesOf(client, uriOf(loose, 'json.py')), []);
  rmSync(path.join(loose, 'helper.py'));
  await client.changedOnDisk(['deleted', path.join(loose, 'helper.py')]);
  assert.deepEqual(codesOf(client, uri), ['top-level-import']);
  await client.stop();
});

describe('projects inside of others', () => {
  for (const moved of ['inner', 'around/inner', 'around']) {
    it(`end when ${moved} is moved away`, async () => {
      const root = writeProject({ 'around/inner/pyproject.toml': TABLE, 'around/inner/a.py': WRONG });
      const client = await LanguageClient.start({ folders: [root] });
      const before = uriOf(root, 'around/inner/a.py');
      assert.deepEqual(codesOf(client, before), ['invalid-workers']);
      const from = path.join(root, moved === 'around' ? 'around' : 'around/inner');
      renameSync(from, `${from}-2`);
      await client.changedOnDisk(['deleted', from], ['made', `${from}-2`]);
      assert.deepEqual(codesOf(client, before), []);
      assert.deepEqual(codesOf(client, before.replace(uriOf(from), uriOf(`${from}-2`))), ['invalid-workers']);
      assert.equal(client.trees.at(-1)?.projects.length, 2);
      await client.stop();
    });
  }

  it('follow a parent folder that is replaced', async () => {
    const root = writeProject({
      'around/inner/pyproject.toml': TABLE,
      'around/inner/a.py': WRONG,
      'other/inner/pyproject.toml': TABLE.replace('inner', 'other'),
      'other/inner/a.py': named('other'),
    });
    const around = path.join(root, 'around');
    const client = await LanguageClient.start({ folders: [path.join(around, 'inner')] });
    assert.deepEqual(codesOf(client, uriOf(around, 'inner/a.py')), ['invalid-workers']);
    renameSync(around, path.join(root, 'gone'));
    renameSync(path.join(root, 'other'), around);
    await client.changedOnDisk(['deleted', around], ['made', around]);
    assert.deepEqual(codesOf(client, uriOf(around, 'inner/a.py')), []);
    assert.deepEqual(namesOf(client), [['other', 'other']]);
    await client.stop();
  });

  it('pass on an unsaved text when they end', async () => {
    const root = writeProject({ 'inner/pyproject.toml': TABLE, 'inner/a.py': named('saved') });
    const client = await LanguageClient.start({ folders: [root] });
    const uri = uriOf(root, 'inner/a.py');
    await client.open(uri, named('saved'));
    await client.change(uri, { text: WRONG });
    const marker = path.join(root, 'inner/pyproject.toml');
    rmSync(marker);
    await client.changedOnDisk(['deleted', marker]);
    assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
    await client.change(uri, {
      range: { start: { line: 2, character: 19 }, end: { line: 2, character: 20 } },
      text: '0',
    });
    await client.settled();
    assert.deepEqual(codesOf(client, uri), []);
    assert.deepEqual(namesOf(client), [['project', 'run']]);
    await client.stop();
  });

  it('publish their findings once when both are folders of the workspace', async () => {
    const root = writeProject({ 'inner/a.py': WRONG, 'b.py': WRONG });
    const client = await LanguageClient.start({ folders: [root, path.join(root, 'inner')] });
    const uri = uriOf(root, 'inner/a.py');
    assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
    assert.deepEqual(codesOf(client, uriOf(root, 'b.py')), ['duplicate-queue-name', 'invalid-workers']);
    await client.removeFolder(path.join(root, 'inner'));
    assert.deepEqual(codesOf(client, uri), ['duplicate-queue-name', 'invalid-workers']);
    await client.stop();
  });

  it('stay when the project around them is removed, and are part of it when it returns', async () => {
    const root = writeProject({ 'pyproject.toml': OUTER, 'folder/a.py': named('one') });
    const client = await LanguageClient.start({ folders: [path.join(root, 'folder')] });
    const marker = path.join(root, 'pyproject.toml');
    assert.deepEqual(namesOf(client), [['outer', 'one']]);
    rmSync(marker);
    await client.changedOnDisk(['deleted', marker]);
    assert.deepEqual(namesOf(client), [['folder', 'one']]);
    await client.stop();
  });
});

describe('folders', () => {
  it('that leave the workspace leave the tree, and a document that is still open keeps its findings', async () => {
    const root = writeProject({ 'pyproject.toml': OUTER, 'a.py': named('saved'), 'b.py': named('saved') });
    const client = await LanguageClient.start({ folders: [root] });
    const uri = uriOf(root, 'a.py');
    await client.open(uri, WRONG);
    await client.removeFolder(root);
    assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
    await client.close(uri);
    await client.settled();
    assert.deepEqual(codesOf(client, uri), []);
    assert.deepEqual(namesOf(client), []);
    await client.stop();
  });

  it('include documents that belonged to no project before', async () => {
    const root = writeProject({ 'a.py': named('one'), 'b.py': named('one') });
    const client = await LanguageClient.start({ folders: [] });
    await client.open(uriOf(root, 'a.py'), named('one'));
    await client.open(uriOf(root, 'b.py'), named('two'));
    await client.settled();
    assert.deepEqual(namesOf(client), [
      ['project', 'one'],
      ['project', 'two'],
    ]);
    await client.change(uriOf(root, 'b.py'), { text: named('one') });
    await client.addFolder(root);
    assert.deepEqual(codesOf(client, uriOf(root, 'b.py')), ['duplicate-queue-name']);
    assert.deepEqual(namesOf(client), [['project', 'one', 'one']]);
    await client.stop();
  });
});

describe('files', () => {
  it('count while they are shown but not on disk yet, and afterwards', async () => {
    const root = writeProject({
      '.gitignore': 'ignored/\n',
      'ignored/b.py': '',
      'routes.py': 'from new import api\n\n@api.get("no-slash")\ndef a():\n    """A."""\n',
    });
    const client = await LanguageClient.start({ folders: [root] });
    const uri = uriOf(root, 'new.py');
    const text = `${SDK}\napi = Endpoint(name="api")\n`;
    await client.open(uri, text);
    await client.open(uriOf(root, 'ignored/new.py'), WRONG);
    await client.settled();
    assert.deepEqual(codesOf(client, uriOf(root, 'routes.py')), ['invalid-path']);
    assert.deepEqual(codesOf(client, uriOf(root, 'ignored/new.py')), []);
    await client.change(uri, { text: text.replace('name="api"', '') });
    await client.settled();
    assert.deepEqual(codesOf(client, uri), ['missing-name']);
    writeFileSync(path.join(root, 'new.py'), text);
    await client.changedOnDisk(['made', path.join(root, 'new.py')]);
    await client.close(uri);
    await client.settled();
    assert.deepEqual(codesOf(client, uri), []);
    assert.deepEqual(codesOf(client, uriOf(root, 'routes.py')), ['invalid-path']);
    await client.stop();
  });

  it('that are shown in a missing folder count when it is created', async () => {
    const root = writeProject({ 'a.py': named('one') });
    const client = await LanguageClient.start({ folders: [root] });
    const uri = uriOf(root, 'new/b.py');
    await client.open(uri, WRONG);
    await client.settled();
    writeProject({ 'new/c.py': '' }, root);
    await client.changedOnDisk(['made', path.join(root, 'new/c.py')]);
    assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
    await client.stop();
  });

  it('that are excluded are reported while they exist', async () => {
    const root = writeProject({
      '.gitignore': 'made/\n',
      'made/other.py': '',
      'a.py': `${named('one')}    from made import model\n    from made import other\n    return model, other\n`,
    });
    const client = await LanguageClient.start({ folders: [root] });
    const lines = () =>
      client
        .diagnosticsOf(uriOf(root, 'a.py'))
        .flatMap(({ range, code }) => (code === 'imports-ignored-file' ? range.start.line : []));
    assert.deepEqual(lines(), [6]);
    const model = path.join(root, 'made/model.py');
    writeFileSync(model, '');
    await client.changedOnDisk(['made', model]);
    assert.deepEqual(lines(), [5, 6]);
    rmSync(path.join(root, 'made/other.py'));
    await client.changedOnDisk(['deleted', path.join(root, 'made/other.py')]);
    assert.deepEqual(lines(), [5]);
    await client.stop();
  });

  it('that are created and removed while they are shown equal the disk when they are closed', async () => {
    const root = writeProject({ 'api.py': `${SDK}\napi = Endpoint(name="api")\n` });
    const client = await LanguageClient.start({ folders: [root] });
    const made = path.join(root, 'made.py');
    writeFileSync(made, 'x = 1\n');
    await client.open(uriOf(made), 'from api import api\n\n@api.get("x")\ndef a():\n    """A."""\n');
    await client.changedOnDisk(['made', made]);
    assert.deepEqual(codesOf(client, uriOf(made)), ['invalid-path']);
    await client.open(uriOf(root, 'api.py'), WRONG);
    rmSync(path.join(root, 'api.py'));
    await client.changedOnDisk(['deleted', path.join(root, 'api.py')]);
    assert.deepEqual(codesOf(client, uriOf(root, 'api.py')), ['invalid-workers']);
    await client.close(uriOf(root, 'api.py'));
    await client.settled();
    assert.deepEqual(codesOf(client, uriOf(root, 'api.py')), []);
    assert.deepEqual(codesOf(client, uriOf(made)), []);
    await client.stop();
  });

  it('are named only by the URI that the editor uses', async () => {
    const root = writeProject({ 'a@b+c.py': WRONG });
    const client = await LanguageClient.start({ folders: [root] });
    const ours = uriOf(root, 'a@b+c.py');
    const theirs = ours.replace('%40', '@').replace('%2B', '+');
    assert.notEqual(ours, theirs);
    await client.open(theirs, WRONG);
    await client.settled();
    assert.deepEqual([codesOf(client, ours), codesOf(client, theirs)], [[], ['invalid-workers']]);
    await client.change(theirs, { text: named('right') });
    await client.settled();
    assert.deepEqual([codesOf(client, ours), codesOf(client, theirs)], [[], []]);
    await client.close(theirs);
    await client.settled();
    assert.deepEqual([codesOf(client, ours), codesOf(client, theirs)], [['invalid-workers'], []]);
    await client.stop();
  });
});
