/** Saves with a mistake, at moments when the last good version has still to be rolled out. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const worker = (name: string, body: string, top = '') =>
  `from toolkit_sdk import Endpoint\n${top}\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2")\ndef ${name}():\n    ${body}\n`;

describe('saves with a mistake while the last good version waits', () => {
  const bench = workbench({ after });
  let project: string;
  let dev: DevSession;

  before(async () => {
    project = bench.project('app', {
      'pyproject.toml': '',
      'early.py': worker('early', 'return 1'),
      'late.py': worker('late', 'import helper\n\n    return helper.VALUE'),
      'helper.py': 'VALUE = "good"\n',
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
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(10);
  }

  it('says at a first call why code does not load, and takes a repaired version for one that may', async () => {
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

  it('provisions the last good version at a first call', async () => {
    write('helper.py', 'VALUE = (\n');
    await until(async () => (await dev.health('late')).stale !== undefined);
    assert.deepEqual(await call('late'), ['good', 'PROJECT_HAS_ERRORS']);
    write('helper.py', 'VALUE = "good"\n');
    await until(async () => (await dev.health('late')).stale === undefined);
    assert.deepEqual(await call('late'), ['good', undefined]);
  });

  it('rolls out the last good version after the one that is under way', async () => {
    assert.deepEqual(await call('early'), [1, undefined]);
    const gate = path.join(bench.folder, 'gate');
    const slow = `import os, time\nwhile not os.path.exists(${JSON.stringify(gate)}):\n    time.sleep(0.01)\n`;
    write('early.py', worker('early', 'return 2', slow));
    await until(async () => (await dev.health('early')).state === 'updating');
    write('early.py', worker('early', 'return 3'));
    write('mark.py', worker('mark', 'return 0'));
    await until(async () => (await dev.health('mark')) !== undefined);
    write('early.py', 'def broken(:\n');
    await until(async () => (await dev.health('early')).stale !== undefined);
    assert.deepEqual(await call('early'), [1, 'PROJECT_HAS_ERRORS']);
    writeFileSync(gate, '');
    await until(async () => (await dev.health('early')).state === 'ready');
    assert.deepEqual(await call('early'), [3, 'PROJECT_HAS_ERRORS']);
    write('early.py', worker('early', 'return 3'));
    await until(async () => (await dev.health('early')).stale === undefined);
    assert.deepEqual(await call('early'), [3, undefined]);
  });
});
