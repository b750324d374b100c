/** Saves that follow another before dev has applied it: the newest one is served, without waiting for the earlier ones. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PackageIndex, packageIndex } from '../build/packageIndex.ts';
import { WORKER_WHEELS } from '../build/projects.ts';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

/** A module that writes the id of its process into a file, and never finishes loading. */
const hanging = (name: string, file: string) =>
  `import os, time\n\nwith open(${JSON.stringify(file)}, "a") as seen:\n    print(os.getpid(), file=seen)\nwhile True:\n    time.sleep(0.01)\n\n${worker(name, 'return "hanging"')}`;

const worker = (name: string, body: string, settings = '') =>
  `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2"${settings})\ndef ${name}():\n    ${body}\n`;

describe('saves that overtake others', () => {
  const bench = workbench({ after });
  let index: PackageIndex;
  let project: string;
  let dev: DevSession;

  before(async () => {
    index = await packageIndex({ isHeld: (name) => name.startsWith('held') });
    for (const wheel of WORKER_WHEELS) index.add(wheel);
    project = bench.project('app', {
      'pyproject.toml': '',
      'one.py': worker('one', 'return 1'),
      // The second function calls the first one, so its worker needs a package.
      'pair.py': worker('first', 'return "start"') + worker('second', 'return first()'),
      'slow.py': worker('slow', 'return 1'),
      'fresh.py': hanging('fresh', path.join(bench.folder, 'fresh')),
    });
    const settings = { PIP_EXTRA_INDEX_URL: index.url };
    dev = await DevSession.start(project, bench.home, [], settings);
    assert.deepEqual([await dev.run('/one', {}), await dev.run('/pair/first', {})], [1, 'start']);
  });
  after(async () => {
    await dev.stop();
    index.close();
  });

  const write = (file: string, text: string) => writeFileSync(path.join(project, file), text);

  /** Saves code whose package the index never delivers, and waits until dev asks for it. */
  async function saveHeld(name: string): Promise<void> {
    write('one.py', worker('one', 'return "held"', `, dependencies=["${name}"]`));
    while (!index.requests.includes(`/simple/${name}/`)) await sleep(10);
  }

  it('serves a save while the packages of the one before are still being installed', async () => {
    await saveHeld('held-first');
    const from = dev.events.length;
    write('one.py', worker('one', 'return 2'));
    const { updated, kept } = await dev.event('reload', { from });
    assert.deepEqual([updated, kept], [['one'], []]);
    assert.equal(await dev.run('/one', {}), 2);
  });

  it('serves the functions of a file that is emptied and written again in the meantime', async () => {
    await saveHeld('held-second');
    const from = dev.events.length;
    write('one.py', '');
    const { removed } = await dev.event('reload', { from });
    assert.deepEqual(removed, ['one']);
    write('one.py', worker('other', 'return 3'));
    const { added } = await dev.event('reload', { from, is: (event) => event.added.length > 0 });
    assert.deepEqual(added, ['other']);
    assert.equal(await dev.run('/one', {}), 3);
    const answer = await dev.request('POST', '/one/runsync', { input: {} });
    assert.equal(answer.headers['x-toolkit-stale'], undefined);
  });

  it('resolves no packages during a burst of saves that keep the requirements', async () => {
    const asked = index.requests.length;
    const from = dev.events.length;
    for (let save = 1; save <= 30; save += 1) {
      write('pair.py', worker('first', `return "save ${save}"`) + worker('second', 'return first()'));
      await sleep(50);
    }
    write('pair.py', worker('first', 'return "last"') + worker('second', 'return first()'));
    await dev.event('reload', { from, is: ({ updated }) => updated.includes('first') });
    while ((await dev.run('/pair/first', {})) !== 'last') await sleep(10);
    assert.deepEqual(index.requests.slice(asked), []);
  });

  /** Waits until a module has begun to load, and returns the processes that load it. */
  async function loading(file: string): Promise<number[]> {
    while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await sleep(10);
    return readFileSync(file, 'utf8').trim().split('\n').map(Number);
  }

  async function ended(processes: readonly number[]): Promise<void> {
    while (processes.some((pid) => existsSync(`/proc/${pid}`))) await sleep(10);
  }

  it('serves a save while the code of the one before does not finish loading, and ends its worker', async () => {
    assert.equal(await dev.run('/slow', {}), 1);
    const file = path.join(bench.folder, 'slow');
    write('slow.py', hanging('slow', file));
    const processes = await loading(file);
    assert.equal(await dev.run('/slow', {}), 1);
    const from = dev.events.length;
    write('slow.py', worker('slow', 'return 2'));
    const { updated, kept } = await dev.event('reload', { from });
    assert.deepEqual([updated, kept], [['slow'], []]);
    assert.equal(await dev.run('/slow', {}), 2);
    await ended(processes);
  });

  it('handles the first call with the fixed code', async () => {
    const answer = dev.run('/fresh', {});
    const processes = await loading(path.join(bench.folder, 'fresh'));
    write('fresh.py', worker('fresh', 'return 3'));
    assert.equal(await answer, 3);
    await ended(processes);
  });

  it('serves code that loads slowly while a program keeps writing a data file', async () => {
    write('patient.py', `import time\n\ntime.sleep(1)\n\n${worker('patient', 'return 4')}`);
    while (!(await dev.health('patient'))) await sleep(10);
    let lines = 0;
    const writing = setInterval(() => write('data.txt', `line ${(lines += 1)}\n`), 100);
    assert.equal(await dev.run('/patient', {}), 4);
    clearInterval(writing);
  });

  it('ends the worker of code that does not finish loading when its function is removed', async () => {
    const file = path.join(bench.folder, 'again');
    write('again.py', hanging('again', file));
    while (!(await dev.health('again'))) await sleep(10);
    const answer = dev.request('POST', '/again/runsync', { input: {} });
    const processes = await loading(file);
    write('again.py', '');
    assert.equal((await answer).status, 503);
    await ended(processes);
  });
});
