/** Faults around a server, and large inputs: it continues, and reports once what it could not do. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const SDK = 'from toolkit_sdk import Endpoint\n';
const WRONG = `${SDK}\n@Endpoint(workers=(3, 1))\ndef run():\n    """Run."""\n`;
const named = (name: string) => `${SDK}\n@Endpoint(name="${name}")\ndef run():\n    """Run."""\n`;

const codesOf = (client: LanguageClient, uri: string) => client.diagnosticsOf(uri).map(({ code }) => code);
const namesOf = (client: LanguageClient) =>
  client.trees.at(-1)?.projects.map(({ app, endpoints }) => [app, ...endpoints.map(({ name }) => name)]);

describe('projects', () => {
  it('two in one folder do not collide, and keep their names', async () => {
    const root = writeProject({
      'one/pyproject.toml': '[tool.toolkit]\napp = "one"\n',
      'one/a.py': named('same'),
      'two/pyproject.toml': '[tool.toolkit]\napp = "two"\n',
      'two/a.py': named('same'),
    });
    const client = await LanguageClient.start({ folders: [root] });
    assert.deepEqual(codesOf(client, uriOf(root, 'one/a.py')), []);
    assert.deepEqual(codesOf(client, uriOf(root, 'two/a.py')), []);
    assert.deepEqual(namesOf(client)?.slice(-2), [
      ['one', 'same'],
      ['two', 'same'],
    ]);
    await client.stop();
  });

  it('a folder becomes a separate project and stops being one, while its file is open', async () => {
    const root = writeProject({ 'a.py': named('same'), 'inner/a.py': named('same') });
    const client = await LanguageClient.start({ folders: [root] });
    const inner = uriOf(root, 'inner/a.py');
    await client.open(inner, named('same'));
    await client.settled();
    assert.deepEqual(codesOf(client, inner), ['duplicate-queue-name']);
    const marker = path.join(root, 'inner/pyproject.toml');
    writeFileSync(marker, '[tool.toolkit]\napp = "inner"\n');
    await client.changedOnDisk(['made', marker]);
    await client.settled();
    assert.deepEqual(codesOf(client, inner), []);
    await client.change(inner, { text: WRONG });
    await client.settled();
    assert.deepEqual(codesOf(client, inner), ['invalid-workers']);
    rmSync(marker);
    await client.changedOnDisk(['deleted', marker]);
    await client.change(inner, { text: named('same') });
    await client.settled();
    assert.deepEqual(codesOf(client, inner), ['duplicate-queue-name']);
    await client.stop();
  });

  it('a broken pyproject.toml is reported at its line, also while typing, and the last good one applies', async () => {
    const good = '[tool.toolkit]\napp = "shop"\nquota = 1\n';
    const root = writeProject({ 'pyproject.toml': good, 'a.py': named('one') });
    const client = await LanguageClient.start({ folders: [root] });
    const uri = uriOf(root, 'pyproject.toml');
    assert.deepEqual(codesOf(client, uriOf(root, 'a.py')), ['worker-quota']);
    await client.open(uri, good);
    await client.change(uri, { text: `${good}quota = [\n` });
    await client.settled();
    assert.deepEqual(
      client.diagnosticsOf(uri).map(({ code, range }) => [code, range.start.line]),
      [['PROJECT_CONFIG', 3]],
    );
    assert.deepEqual(codesOf(client, uriOf(root, 'a.py')), ['worker-quota']);
    await client.change(uri, { text: good.replace('1', '3') });
    await client.settled();
    assert.deepEqual(codesOf(client, uri), []);
    assert.deepEqual(codesOf(client, uriOf(root, 'a.py')), []);
    await client.stop();
  });

  it('a restart finds the same', async () => {
    const root = writeProject({
      'a.py': named('one'),
      'b/c.py': WRONG,
      'pyproject.toml': '[project]\nname = "x"\n',
    });
    const first = await LanguageClient.start({ folders: [root] });
    const second = await LanguageClient.start({ folders: [root] });
    assert.deepEqual(second.trees, first.trees);
    assert.deepEqual([...second.published].sort(), [...first.published].sort());
    await first.stop();
    await second.stop();
  });
});

describe('files', () => {
  it('ten thousand files that a branch switch removes', async () => {
    const root = makeFolder();
    mkdirSync(path.join(root, 'many'));
    for (let at = 0; at < 10_000; at += 1) {
      writeFileSync(path.join(root, 'many', `m${at}.py`), at % 1000 === 0 ? named(`e${at}`) : 'x = 1\n');
    }
    writeFileSync(path.join(root, 'left.py'), named('left'));
    const client = await LanguageClient.start({ folders: [root] });
    assert.equal(client.trees.at(-1)?.projects[0]?.endpoints.length, 11);
    const before = await client.settled();
    const gone = Array.from({ length: 10_000 }, (_, at) => path.join(root, 'many', `m${at}.py`));
    rmSync(path.join(root, 'many'), { recursive: true });
    await client.changedOnDisk(...gone.map((file): ['deleted', string] => ['deleted', file]));
    const after = await client.settled();
    assert.deepEqual(namesOf(client), [['project', 'left']]);
    assert.equal(after.filesRead, before.filesRead, 'no remaining file is read again');
    await client.stop();
  });

  it('a folder that is removed or renamed, reported only by its own name', async () => {
    const root = writeProject({
      'old/a.py': named('one'),
      'old/sub/b.py': named('two'),
      'c.py': named('three'),
    });
    const client = await LanguageClient.start({ folders: [root] });
    renameSync(path.join(root, 'old'), path.join(root, 'new'));
    await client.changedOnDisk(['deleted', path.join(root, 'old')], ['made', path.join(root, 'new')]);
    assert.deepEqual(
      client.trees.at(-1)?.projects[0]?.endpoints.map(({ endpoint }) => endpoint.file),
      ['c.py', 'new/a.py', 'new/sub/b.py'],
    );
    await client.stop();
  });

  it('an ignore file that is created and removed', async () => {
    const root = writeProject({ 'scratch/a.py': WRONG, 'b.py': named('one') });
    const client = await LanguageClient.start({ folders: [root] });
    const uri = uriOf(root, 'scratch/a.py');
    assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
    const ignore = path.join(root, '.toolkitignore');
    writeFileSync(ignore, 'scratch/\n');
    await client.changedOnDisk(['made', ignore]);
    assert.deepEqual(codesOf(client, uri), []);
    rmSync(ignore);
    await client.changedOnDisk(['deleted', ignore]);
    assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
    await client.stop();
  });

  it('a file outside of every folder, one that is not on disk yet, and no cell of a notebook', async () => {
    const root = writeProject({ 'a.py': named('one') });
    const elsewhere = writeProject({ 'loose.py': WRONG, 'helper.py': 'x = 1\n' });
    const client = await LanguageClient.start({ folders: [root] });
    const loose = uriOf(elsewhere, 'loose.py');
    await client.open(loose, `import helper\n${WRONG}`);
    await client.open('untitled:Untitled-1', WRONG, 'python');
    await client.open('vscode-notebook-cell:/x/book.ipynb#W0', WRONG, 'python');
    await client.settled();
    assert.deepEqual(codesOf(client, loose), ['invalid-workers']);
    assert.deepEqual(codesOf(client, 'untitled:Untitled-1'), ['invalid-workers']);
    assert.deepEqual(codesOf(client, 'vscode-notebook-cell:/x/book.ipynb#W0'), []);
    await client.change('untitled:Untitled-1', { text: named('new') });
    await client.close(loose);
    await client.settled();
    assert.deepEqual(codesOf(client, loose), []);
    assert.deepEqual(codesOf(client, 'untitled:Untitled-1'), []);
    await client.close('untitled:Untitled-1');
    await client.settled();
    await client.stop();
  });

  it('typing a line of half a megabyte', async () => {
    const root = writeProject({ 'a.py': WRONG });
    const client = await LanguageClient.start({ folders: [root] });
    const uri = uriOf(root, 'a.py');
    const long = `${WRONG}DATA = [${'1, '.repeat(170_000)}]\n`;
    await client.open(uri, long);
    await client.change(uri, {
      range: { start: { line: 6, character: 100_000 }, end: { line: 6, character: 100_000 } },
      text: '22, ',
    });
    await client.settled();
    assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
    assert.match(client.messages.splice(0).join('\n'), /^\S+a\.py is large, so it is read in slices: .*$/);
    await client.stop();
  });

  it('a file that keeps changing while it is read', async () => {
    const root = writeProject({ 'a.py': WRONG });
    const file = path.join(root, 'a.py');
    const client = await LanguageClient.start({ folders: [root] });
    for (let round = 0; round < 30; round += 1) {
      writeFileSync(file, `${round % 2 ? WRONG : named('one')}# ${'x'.repeat(round * 5000)}\n`);
      void client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(file), type: 2 }] });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    writeFileSync(file, WRONG);
    await client.changedOnDisk(['changed', file]);
    assert.deepEqual(codesOf(client, uriOf(file)), ['invalid-workers']);
    await client.stop();
  });
});

describe('faults', () => {
  it('terms nested deeper than any stack are skipped', async () => {
    const deep = `${SDK}\nx = ${'(1 + '.repeat(30_000)}1${')'.repeat(30_000)}\n`;
    const root = writeProject({ 'deep.py': deep, 'a.py': WRONG });
    const client = await LanguageClient.start({ folders: [root] });
    assert.deepEqual(codesOf(client, uriOf(root, 'a.py')), ['invalid-workers']);
    const uri = uriOf(root, 'deep.py');
    await client.open(uri, deep);
    await client.change(uri, { text: WRONG.replace('run', 'dig') });
    await client.settled();
    assert.deepEqual(codesOf(client, uri), ['invalid-workers']);
    await client.stop();
  });
});
