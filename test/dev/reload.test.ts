/** Saves under `toolkit dev`: new code when it loads, the last good version when it does not. */
import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeWheel } from '../build/wheels.ts';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const worker = (name: string, body: string, top = '') =>
  `from toolkit_sdk import Endpoint\n${top}\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2")\ndef ${name}():\n    ${body}\n`;

describe('saves under dev', () => {
  const bench = workbench({ after });
  let project: string;
  let dev: DevSession;

  before(async () => {
    project = bench.project('app', {
      'pyproject.toml': '',
      'one.py': worker('one', 'return 1'),
      'two.py': worker('two', 'import helper\n\n    return helper.VALUE'),
      'helper.py': 'VALUE = "first"\n',
    });
    dev = await DevSession.start(project, bench.home);
    assert.deepEqual([await dev.run('/one', {}), await dev.run('/two', {})], [1, 'first']);
  });
  after(() => dev.stop());

  /** Changes files, and waits until dev reports it. */
  async function save(change: () => void) {
    const from = dev.events.length;
    change();
    return dev.event('reload', { from });
  }
  const write = (file: string, text: string) => writeFileSync(path.join(project, file), text);

  it('updates only the endpoints whose code has changed', async () => {
    const { updated, kept } = await save(() => write('helper.py', 'VALUE = "second"\n'));
    assert.deepEqual([updated, kept], [['two'], []]);
    assert.equal(await dev.run('/two', {}), 'second');
    assert.equal(await dev.run('/one', {}), 1);
  });

  it('keeps the last good version when a function imports a file that Python cannot read', async () => {
    const { updated, kept } = await save(() => write('helper.py', 'VALUE = (\n'));
    assert.deepEqual([updated, kept.map(({ endpoint }) => endpoint)], [[], ['two']]);
    assert.match(kept[0]!.message, /^helper\.py:1:/);
    assert.equal(await dev.run('/two', {}), 'second');
    const latin = await save(() =>
      writeFileSync(path.join(project, 'helper.py'), Buffer.from('# ok\nVALUE = "\xe9"\n', 'latin1')),
    );
    assert.deepEqual(
      latin.kept.map(({ endpoint, message }) => [endpoint, message]),
      [['two', 'helper.py:2:1: This file is not valid UTF-8.']],
    );
    const { recovered } = await save(() => write('helper.py', 'VALUE = "second"\n'));
    assert.deepEqual(recovered, ['two']);
  });

  it('applies a file that an editor replaces', async () => {
    const { updated } = await save(() => {
      write('one.py.tmp', worker('one', 'return "replaced"'));
      renameSync(path.join(project, 'one.py.tmp'), path.join(project, 'one.py'));
    });
    assert.deepEqual(updated, ['one']);
    assert.equal(await dev.run('/one', {}), 'replaced');
  });

  it('keeps the last good version of code with a mistake, and says so in the response', async () => {
    const { kept, updated } = await save(() => write('one.py', 'def broken(:\n'));
    assert.deepEqual(
      [updated, kept.map(({ endpoint, code }) => [endpoint, code])],
      [[], [['one', 'PROJECT_HAS_ERRORS']]],
    );
    assert.match(kept[0]!.message, /^one\.py:1:/);
    const answer = await dev.request('POST', '/one/runsync', { input: {} });
    assert.equal(answer.headers['x-toolkit-stale'], 'PROJECT_HAS_ERRORS');
    assert.match(answer.text, /"replaced"/);
    assert.deepEqual((await save(() => write('one.py', worker('one', 'return 3')))).updated, ['one']);
    const repaired = await dev.request('POST', '/one/runsync', { input: {} });
    assert.equal(repaired.headers['x-toolkit-stale'], undefined);
    assert.match(repaired.text, /"output":3/);
  });

  it('reports when a mistake is reverted and the code is as before', async () => {
    await save(() => write('one.py', 'def broken(:\n'));
    assert.equal((await dev.health('one')).stale?.code, 'PROJECT_HAS_ERRORS');
    const { updated, recovered, kept } = await save(() => write('one.py', worker('one', 'return 3')));
    assert.deepEqual([updated, recovered, kept], [[], ['one'], []]);
    assert.equal((await dev.health('one')).stale, undefined);
    const answer = await dev.request('POST', '/one/runsync', { input: {} });
    assert.equal(answer.headers['x-toolkit-stale'], undefined);
  });

  it('keeps the last good version of code that does not load', async () => {
    const broken = worker('one', 'return 4', 'TODAY = int("not today")');
    const { kept } = await save(() => write('one.py', broken));
    assert.deepEqual(
      kept.map(({ endpoint, code }) => [endpoint, code]),
      [['one', 'ROLLOUT_FAILED']],
    );
    assert.match(kept[0]!.message, /not today/);
    assert.equal(await dev.run('/one', {}), 3);
    await save(() => write('one.py', worker('one', 'return 5')));
    assert.equal(await dev.run('/one', {}), 5);
  });

  it('serves a new file at once, and stops serving a removed one', async () => {
    const { added } = await save(() => write('three.py', worker('three', 'return "new"')));
    assert.deepEqual(added, ['three']);
    assert.equal(await dev.run('/three', {}), 'new');
    const { removed } = await save(() => rmSync(path.join(project, 'three.py')));
    assert.deepEqual(removed, ['three']);
    assert.equal((await dev.request('POST', '/three/runsync', { input: {} })).status, 404);
  });

  it('serves every request from the old or the new code while a save is applied', async () => {
    const ended = new AbortController();
    const seen = new Set<unknown>();
    const asking = (async () => {
      while (!ended.signal.aborted) seen.add(await dev.run('/one', {}));
    })();
    asking.catch(() => {});
    await save(() => write('one.py', worker('one', 'return "newer"')));
    seen.add(await dev.run('/one', {}));
    ended.abort();
    await asking;
    assert.deepEqual(seen, new Set([5, 'newer']));
  });

  it('applies created, changed and removed data files, and changes of ignore files', async () => {
    const updatedBy = async (change: () => void) => (await save(change)).updated;
    const all = ['one', 'two'];
    assert.deepEqual(await updatedBy(() => write('data.txt', 'first')), all);
    assert.deepEqual(await updatedBy(() => write('data.txt', 'second')), all);
    assert.deepEqual(await updatedBy(() => rmSync(path.join(project, 'data.txt'))), all);
    assert.deepEqual(await updatedBy(() => write('data.txt', 'third')), all);
    assert.deepEqual(await updatedBy(() => write('.gitignore', '*.txt\n')), all);
    write('data.txt', 'fourth');
    assert.deepEqual(await updatedBy(() => write('one.py', worker('one', 'return "last"'))), ['one']);
    assert.deepEqual(await updatedBy(() => rmSync(path.join(project, '.gitignore'))), all);
    assert.deepEqual(await updatedBy(() => rmSync(path.join(project, 'data.txt'))), all);
  });

  it('explains once how to exclude a file that a program writes from updates', async () => {
    for (let lines = 1; lines <= 7; lines += 1) await save(() => write('app.log', 'line\n'.repeat(lines)));
    assert.equal(
      dev.stderr.match(/app\.log is part of every endpoint.* add it to \.gitignore/g)?.length,
      1,
      dev.stderr,
    );
    await save(() => rmSync(path.join(project, 'app.log')));
  });

  it('returns the cause at once when there is no good version', async () => {
    await save(() => write('four.py', worker('four', 'return 1', 'import toolkit_sdk.missing_part')));
    const from = dev.events.length;
    const answer = await dev.request('POST', '/four/runsync', { input: {} });
    assert.equal(answer.status, 503);
    assert.match(answer.text, /missing_part/);
    const { kept } = await dev.event('reload', { from });
    assert.deepEqual(
      kept.map(({ endpoint, serves }) => [endpoint, serves]),
      [['four', false]],
    );
    write('five.py', 'from toolkit_sdk import Endpoint\n\n@Endpoint(name="five"\n');
    await save(() => write('five.py', worker('five', 'return 1', 'X = (')));
    rmSync(path.join(project, 'five.py'));
    await save(() => rmSync(path.join(project, 'four.py')));
  });

  it('reports existing mistakes at its start', async () => {
    const other = bench.project('mistaken', {
      'pyproject.toml': '',
      'one.py': worker('one', 'return 1').replace('cpu3c-1-2', 'cpu-many'),
    });
    const session = await DevSession.start(other, bench.home);
    const { kept } = await session.event('reload');
    assert.deepEqual(
      kept.map(({ endpoint, code, serves }) => [endpoint, code, serves]),
      [['one', 'PROJECT_HAS_ERRORS', false]],
    );
    const answer = await session.request('POST', '/one/runsync', { input: {} });
    assert.deepEqual([answer.status, /one\.py:4/.test(answer.text)], [503, true], answer.text);
    await session.stop();
  });

  it('retries by itself what the platform could not do', async () => {
    const wide = (size: number, value: number) =>
      worker('wide', `return ${value}`).replace('cpu="cpu3c-1-2"', `cpu="cpu3c-1-2", workers=${size}`);
    const first = bench.project('first', { 'pyproject.toml': '', 'wide.py': wide(5, 1) });
    const second = bench.project('second', { 'pyproject.toml': '', 'wide.py': wide(12, 1) });
    const [mine, other] = [
      await DevSession.start(first, bench.home),
      await DevSession.start(second, bench.home),
    ];
    assert.deepEqual([await mine.run('/wide', {}), await other.run('/wide', {})], [1, 1]);
    writeFileSync(path.join(first, 'wide.py'), wide(15, 2));
    const { kept } = await mine.event('reload');
    assert.deepEqual(
      kept.map(({ endpoint, code, serves, retried }) => [endpoint, code, serves, retried]),
      [['wide', 'QUOTA_EXCEEDED', true, true]],
    );
    await other.stop();
    const { recovered } = await mine.event('reload', { is: (event) => event.kept.length === 0 });
    assert.deepEqual(recovered, ['wide']);
    assert.equal(await mine.run('/wide', {}), 2);
    await mine.stop();
  });

  it('installs changed dependencies, and follows a changed lock', async () => {
    const links = path.join(bench.folder, 'links');
    for (const version of ['1.0', '2.0'])
      writeWheel(links, { name: 'demo', version, files: { 'demo.py': `VERSION = "${version}"\n` } });
    const code = (dependencies: string) =>
      worker('three', 'from demo import VERSION\n\n    return VERSION').replace(
        'cpu="cpu3c-1-2"',
        `cpu="cpu3c-1-2", dependencies=[${dependencies}]`,
      );
    const other = bench.project('packages', { 'pyproject.toml': '', 'three.py': code('"demo<2"') });
    const offline = { PIP_FIND_LINKS: links, PIP_NO_INDEX: '1' };
    const session = await DevSession.start(other, bench.home, [], offline);
    assert.equal(await session.run('/three', {}), '1.0');
    const first = readFileSync(path.join(other, 'pylock.toml'), 'utf8');
    writeFileSync(path.join(other, 'three.py'), code('"demo"'));
    await session.event('reload', { is: ({ updated }) => updated.includes('three') });
    assert.equal(await session.run('/three', {}), '1.0', 'the lock still fits');
    const second = readFileSync(path.join(other, 'pylock.toml'), 'utf8');
    const wheel = (of: string) => /^.*demo-[\d.]+-py3.*$/m.exec(of)![0];
    assert.equal(wheel(first), wheel(second));
    rmSync(path.join(other, 'pylock.toml'));
    await session.event('reload', {
      from: session.events.length,
      is: ({ updated }) => updated.includes('three'),
    });
    assert.equal(await session.run('/three', {}), '2.0', 'it is resolved again');
    writeFileSync(path.join(other, 'pylock.toml'), second);
    await session.event('reload', {
      from: session.events.length,
      is: ({ updated }) => updated.includes('three'),
    });
    assert.equal(await session.run('/three', {}), '1.0', 'the earlier lock is valid again');
    await session.stop();
  });
});
