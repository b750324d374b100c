/** What a command caches about unchanged files makes the next one faster, and never wrong. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { CheckDocument, ListDocument } from '../../runtime/contract/cliDocuments.ts';
import { type Workbench, workbench } from '../setup/toolkit.ts';

const source = (name: string): string =>
  `from toolkit_sdk import Endpoint\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2")\ndef run(x: int):\n    """Run."""\n`;

describe('facts cached between commands', () => {
  const open = (t: { after: (clean: () => Promise<void>) => void }): [Workbench, string, string] => {
    const bench = workbench(t);
    // Not the cache that the tests share.
    rmSync(path.join(bench.home, 'cache'));
    return [
      bench,
      bench.project('kept', { 'pyproject.toml': '', 'a.py': source('one') }),
      path.join(bench.home, 'cache/facts'),
    ];
  };
  const names = async (bench: Workbench, project: string): Promise<(string | null)[]> =>
    (await bench.toolkit(project, ['list', '--json'])).json<ListDocument>().endpoints.map(({ name }) => name);

  it('a changed file is read again, even with the same size and time', async (t) => {
    const [bench, project, folder] = open(t);
    assert.deepEqual(await names(bench, project), ['one']);
    assert.equal(readdirSync(folder).length, 1);
    assert.deepEqual(await names(bench, project), ['one']);
    writeFileSync(path.join(project, 'a.py'), source('two'));
    assert.deepEqual(await names(bench, project), ['two']);
  });

  it('a command that reads no file anew leaves the cache as it is', async (t) => {
    const [bench, project, folder] = open(t);
    await names(bench, project);
    const file = path.join(folder, readdirSync(folder)[0]!);
    const written = statSync(file, { bigint: true }).mtimeNs;
    assert.deepEqual(await names(bench, project), ['one']);
    assert.equal(statSync(file, { bigint: true }).mtimeNs, written);
  });

  it('findings from cached facts equal those from fresh ones', async (t) => {
    const [bench, project] = open(t);
    writeFileSync(path.join(project, 'b.py'), source('one').replace('cpu3c-1-2', 'cpu-1'));
    writeFileSync(path.join(project, 'c.py'), 'from toolkit_sdk import Endpoint\n@Endpoint(\n');
    const check = async (): Promise<CheckDocument> =>
      (await bench.toolkit(project, ['check', '--json'])).json();
    const fresh = await check();
    assert.deepEqual([...new Set(fresh.diagnostics.map(({ code }) => code))].toSorted(), [
      'duplicate-queue-name',
      'invalid-cpu',
      'syntax-error',
    ]);
    assert.deepEqual(await check(), fresh);
  });

  for (const damage of ['', '{"reader":', '[]', '{"reader":"other","files":{"a.py":{}}}']) {
    it(`a cache that contains ${JSON.stringify(damage)} is rebuilt`, async (t) => {
      const [bench, project, folder] = open(t);
      await names(bench, project);
      const file = path.join(folder, readdirSync(folder)[0]!);
      const good = readFileSync(file, 'utf8');
      writeFileSync(file, damage);
      assert.deepEqual(await names(bench, project), ['one']);
      assert.equal(readFileSync(file, 'utf8'), good);
    });
  }

  it('a location where nothing can be cached changes nothing', async (t) => {
    const [bench, project] = open(t);
    mkdirSync(path.join(bench.home, 'cache'));
    writeFileSync(path.join(bench.home, 'cache/facts'), 'a file in the way');
    assert.deepEqual(await names(bench, project), ['one']);
  });
});
