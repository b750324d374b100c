/** Saves with a mistake while the last good version is not rolled out yet. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const worker = (name: string, body: string, top = '') =>
  `from toolkit_sdk import Endpoint\n${top}\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2")\ndef ${name}():\n    ${body}\n`;

const routes = (name: string) =>
  `from toolkit_sdk import Endpoint\n\napi = Endpoint(name="api", cpu="cpu3c-1-2")\n\n\n@api.get("/${name}")\ndef ${name}():\n    return "${name}"\n`;

/** Adds a route to an instance of another file. */
const MORE = `from one import api\n\n\n@api.get("/more")\ndef more():\n    return "more"\n`;

describe('broken saves while the last good version waits', () => {
  const bench = workbench({ after });
  let project: string;
  let dev: DevSession;

  before(async () => {
    project = bench.project('app', {
      'pyproject.toml': '',
      'early.py': worker('early', 'return 1'),
      'late.py': worker('late', 'import helper\n\n    return helper.VALUE'),
      'helper.py': 'VALUE = "good"\n',
      'one.py': routes('one'),
      'two.py': routes('two'),
      'more.py': MORE,
      'unloadable.py': worker('unloadable', 'return 1', 'TODAY = int("not today")'),
    });
    dev = await DevSession.start(project, bench.home);
  });
  after(() => dev.stop());

  const write = (file: string, text: string) => writeFileSync(path.join(project, file), text);
  const call = async (name: string) => {
    const { headers, text } = await dev.request('POST', `/${name}/runsync`, { input: {} });
    return [(JSON.parse(text) as { output?: unknown }).output, headers['x-toolkit-stale']];
  };
  const reloads = (from: number) => dev.events.slice(from).filter((one) => one.event === 'reload');
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(10);
  }

  it('reports at the first call why code does not load, and accepts a repaired version', async () => {
    const from = dev.events.length;
    const answer = await dev.request('POST', '/unloadable/runsync', { input: {} });
    assert.equal(answer.status, 503, answer.text);
    const { kept } = await dev.event('reload', { from });
    assert.deepEqual([kept.length, kept[0]!.endpoint, kept[0]!.serves], [1, 'unloadable', false]);
    assert.match(kept[0]!.message, /not today/);
    assert.equal((await dev.health('unloadable')).stale?.code, 'ROLLOUT_FAILED');
    const saved = dev.events.length;
    write('unloadable.py', worker('unloadable', 'return 2'));
    const repaired = await dev.event('reload', { from: saved });
    assert.deepEqual([repaired.updated, repaired.kept], [['unloadable'], []]);
    assert.equal((await dev.health('unloadable')).stale, undefined);
    assert.deepEqual(await call('unloadable'), [2, undefined]);
  });

  it('provisions the last good version at the first call', async () => {
    write('helper.py', 'VALUE = (\n');
    await until(async () => (await dev.health('late')).stale !== undefined);
    assert.deepEqual(await call('late'), ['good', 'PROJECT_HAS_ERRORS']);
    write('helper.py', 'VALUE = "good"\n');
    await until(async () => (await dev.health('late')).stale === undefined);
    assert.deepEqual(await call('late'), ['good', undefined]);
  });

  it('keeps the last good versions while pyproject.toml is invalid, and reports its place', async () => {
    const from = dev.events.length;
    write('pyproject.toml', '[[[\n');
    await until(async () => (await dev.health('late')).stale !== undefined);
    write('helper.py', 'VALUE = "newer"\n');
    write('seen.py', worker('seen', 'return 0'));
    await until(async () => (await dev.health('seen')) !== undefined);
    assert.deepEqual(await call('late'), ['good', 'PROJECT_CONFIG']);
    const { kept } = await dev.event('reload', { from });
    assert.match(kept[0]!.message, /^pyproject\.toml: line 1, column \d/);
    assert.deepEqual(
      dev.events.slice(from).filter(({ event }) => event === 'error'),
      [],
    );
    write('pyproject.toml', '');
    await until(async () => (await call('late'))[0] === 'newer');
    assert.equal((await dev.health('late')).stale, undefined);
    write('helper.py', 'VALUE = "good"\n');
    await until(async () => (await call('late'))[0] === 'good');
  });

  it('keeps the other endpoints, and the last good version of a name that a new file declares too', async () => {
    assert.deepEqual(await call('late'), ['good', undefined]);
    const from = dev.events.length;
    write('copy.py', worker('late', 'return "copy"'));
    await until(async () => (await dev.health('late')).stale !== undefined);
    await until(async () => reloads(from).some(({ kept }) => kept.length > 0));
    const kept = reloads(from).flatMap((one) => one.kept);
    assert.deepEqual([...new Set(kept.map(({ endpoint }) => endpoint))], ['late']);
    assert.match(
      kept[0]!.message,
      /^(copy|late)\.py:\d+:\d+: The name "late" is used by 2 queue-based functions/,
    );
    assert.deepEqual(await call('late'), ['good', 'PROJECT_HAS_ERRORS']);
    assert.equal((await dev.health('seen')).stale, undefined);
    write('other.py', worker('other', 'return 5'));
    await until(async () => (await dev.health('other')) !== undefined);
    assert.deepEqual(await call('other'), [5, undefined]);
    rmSync(path.join(project, 'copy.py'));
    await until(async () => (await dev.health('late')).stale === undefined);
    assert.deepEqual(await call('late'), ['good', undefined]);
  });

  it('keeps all routes of an endpoint if one of the files that declare it has a mistake', async () => {
    const get = async (route: string) => {
      const { headers, text } = await dev.request('GET', `/${route}/${route}`);
      return [text, headers['x-toolkit-stale']];
    };
    assert.deepEqual(await get('one'), ['"one"', undefined]);
    write('two.py', 'def broken(:\n');
    await until(async () => (await dev.health('api')).stale !== undefined);
    assert.deepEqual(await get('two'), ['"two"', 'PROJECT_HAS_ERRORS']);
    assert.deepEqual(await get('one'), ['"one"', 'PROJECT_HAS_ERRORS']);
    write('two.py', routes('two'));
    await until(async () => (await dev.health('api')).stale === undefined);
    assert.deepEqual(await get('two'), ['"two"', undefined]);
    write('more.py', 'def broken(:\n');
    await until(async () => (await dev.health('api')).stale !== undefined);
    assert.deepEqual(await get('more'), ['"more"', 'PROJECT_HAS_ERRORS']);
    write('more.py', MORE);
    await until(async () => (await dev.health('api')).stale === undefined);
  });

  it('rolls out the last good version although a mistake is saved before it has loaded', async () => {
    assert.deepEqual(await call('early'), [1, undefined]);
    const gate = path.join(bench.folder, 'gate');
    const slow = `import os, time\nwhile not os.path.exists(${JSON.stringify(gate)}):\n    time.sleep(0.01)\n`;
    write('early.py', worker('early', 'return 2', slow));
    await until(async () => (await dev.health('early')).state === 'updating');
    write('early.py', worker('early', 'return 3', slow));
    write('mark.py', worker('mark', 'return 0'));
    await until(async () => (await dev.health('mark')) !== undefined);
    write('early.py', 'def broken(:\n');
    await until(async () => (await dev.health('early')).stale !== undefined);
    assert.deepEqual(await call('early'), [1, 'PROJECT_HAS_ERRORS']);
    writeFileSync(gate, '');
    await until(async () => (await dev.health('early')).state === 'ready');
    assert.deepEqual(await call('early'), [3, 'PROJECT_HAS_ERRORS']);
    write('early.py', worker('early', 'return 3', slow));
    await until(async () => (await dev.health('early')).stale === undefined);
    assert.deepEqual(await call('early'), [3, undefined]);
  });
});
