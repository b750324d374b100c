/**
 * `toolkit dev --auto-provision`: starts all endpoints, prompts when there are many, and takes them over
 * after a crash.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { LIVE_LIMITS } from '../../runtime/contract/limits.ts';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';
import { writeHostilePickles } from './hostilePickles.ts';

const worker = (name: string, value: string, more = '') =>
  `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=1${more})\ndef ${name}():\n    return ${value}\n`;

const files = (names: readonly string[]) =>
  Object.fromEntries([['pyproject.toml', ''], ...names.map((name) => [`${name}.py`, worker(name, '1')])]);

describe('dev --auto-provision', () => {
  const bench = workbench({ after });

  interface Live {
    name: string;
    id: string;
  }

  async function live(project: string): Promise<Live[]> {
    const { endpoints } = (await bench.toolkit(project, ['status', '--json'])).json<StatusDocument>();
    return endpoints.filter((endpoint) => endpoint.live).map(({ name, id }) => ({ name, id }));
  }

  function resources(project: string): Record<string, { run: string; endpoints: Record<string, Live> }> {
    const program = 'import json, pickle, sys\nprint(json.dumps(pickle.load(open(sys.argv[1], "rb"))))';
    const file = path.join(project, '.toolkit/resources.pkl');
    return JSON.parse(execFileSync('python3', ['-c', program, file], { encoding: 'utf8' }));
  }

  it('provisions all endpoints before it is ready, and caches them in a pickle', async () => {
    const good = ['a', 'b', 'c', 'd'];
    const notes = path.join(bench.folder, 'notes');
    const noted = `\nimport time\n\n\ndef note(what):\n    with open(${JSON.stringify(notes)}, "a") as file:\n        file.write(what)\n\n\nnote("+")\ntime.sleep(1)\nnote("-")\n\n`;
    const texts = good.map((name) => [`${name}.py`, worker(name, '1').replace('\n\n', noted)]);
    const project = bench.project('shop', { 'pyproject.toml': '', ...Object.fromEntries(texts) });
    writeFileSync(path.join(project, 'broken.py'), worker('broken', '1', ', cpus=3'));
    const dev = await DevSession.start(project, bench.home, ['--auto-provision']);
    const isReady = dev.events.findIndex(({ event }) => event === 'ready');
    const provisioned = dev.events
      .slice(0, isReady)
      .flatMap((event) => (event.event === 'provisioned' && !event.reused ? [event.endpoint] : []));
    const names = good.map((name) => `live-${name}`);
    assert.deepEqual(provisioned.sort(), names);
    let [loading, most] = [0, 0];
    for (const what of readFileSync(notes, 'utf8')) most = Math.max(most, (loading += what === '+' ? 1 : -1));
    assert.equal(most, 3, 'never more than the limit at a time');
    const there = await live(project);
    assert.deepEqual(there.map(({ name }) => name).sort(), names);
    const { message } = await dev.event('error');
    assert.match(message, /^"broken" cannot be provisioned: broken\.py:4:/);

    const [place] = Object.keys(resources(project)) as [string];
    const { endpoints } = resources(project)[place]!;
    assert.match(place, /^http:\/\/127\.0\.0\.1:\d+ shop\/production$/);
    const ids = Object.fromEntries(Object.entries(endpoints).map(([name, { id }]) => [`live-${name}`, id]));
    assert.deepEqual(ids, Object.fromEntries(there.map(({ name, id }) => [name, id])));
    assert.equal(await dev.run('/a', {}), 1);
    await dev.stop();
    assert.deepEqual(await live(project), []);
    assert.deepEqual(resources(project), {}, 'nothing is left to take over');
  });

  it('prompts for more than five endpoints; without a terminal fails with a hint and changes nothing', async () => {
    const project = bench.project('many', files(['a', 'b', 'c', 'd', 'e', 'f']));
    const home = path.join(bench.folder, 'other-home');
    mkdirSync(home);
    const args = ['dev', '--auto-provision'];
    const refused = await bench.toolkit(project, args, { env: { TOOLKIT_HOME: home } });
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(
      refused.stderr,
      /This would provision 6 endpoints \(a, b, c, d, e, f\); nothing was changed\./,
    );
    assert.match(refused.stderr, /--yes/);
    assert.ok(!existsSync(path.join(home, 'platform.json')), 'no platform was started');
    const json = await bench.toolkit(project, [...args, '--json'], { env: { TOOLKIT_HOME: home } });
    assert.equal(json.json<{ error: { code: string } }>().error.code, 'CONFIRMATION_NEEDED');

    const dev = await DevSession.start(project, bench.home, ['--auto-provision', '--yes']);
    assert.equal((await live(project)).length, 6);
    await dev.stop();
  });

  it('takes over the endpoints of a killed dev, updates those that changed, and removes those whose declarations are gone', async () => {
    const project = bench.project('crash', files(['same', 'changed', 'gone']));
    const first = await DevSession.start(project, bench.home, ['--auto-provision']);
    assert.equal(await first.run('/same', {}), 1);
    const before = await live(project);
    const second = await DevSession.start(project, bench.home, ['--auto-provision']);
    assert.equal((await live(project)).length, 6, 'the endpoints of a running dev are not taken over');
    await second.stop();

    const third = await DevSession.start(project, bench.home, ['--auto-provision']);
    await first.stop('SIGKILL');
    await third.stop('SIGKILL');
    writeFileSync(path.join(project, 'changed.py'), worker('changed', '2'));
    execFileSync('rm', [path.join(project, 'gone.py')]);
    const left = Object.values(resources(project))[0]!;
    const fourth = await DevSession.start(project, bench.home, ['--auto-provision']);
    const reused = fourth.events.flatMap((event) =>
      event.event === 'provisioned' && event.reused ? [event.endpoint] : [],
    );
    assert.deepEqual(reused.sort(), ['live-changed', 'live-same']);
    const now = (await live(project)).filter(({ id }) => !before.some((one) => one.id === id));
    const of = (name: string) => now.find((one) => one.name === `live-${name}`)?.id;
    assert.deepEqual(
      [of('same'), of('changed'), of('gone')],
      [left.endpoints['same']!.id, left.endpoints['changed']!.id, undefined],
    );
    assert.deepEqual([await fourth.run('/same', {}), await fourth.run('/changed', {})], [1, 2]);
    assert.equal(await fourth.stop(), 0);
  });

  it('takes over nothing from a suspended dev', async () => {
    const project = bench.project('suspended', files(['one']));
    const first = await DevSession.start(project, bench.home, ['--auto-provision']);
    first.child.kill('SIGSTOP');
    // Until the platform has responded to its last renewal, but before its run ends.
    await sleep(LIVE_LIMITS.renewWait + 1_000);
    const second = await DevSession.start(project, bench.home, ['--auto-provision']);
    assert.deepEqual(
      second.events.filter((event) => event.event === 'provisioned' && event.reused),
      [],
    );
    assert.equal(await second.stop(), 0);
    first.child.kill('SIGCONT');
    assert.equal(await first.run('/one', {}), 1);
    assert.equal(await first.stop(), 0);
  });

  it('ends cleanly when it is stopped while it provisions', async () => {
    const begun = path.join(bench.folder, 'begun');
    const top = `\nimport time\n\nopen(${JSON.stringify(begun)}, "w").close()\ntime.sleep(60)\n\n`;
    const project = bench.project('slow', {
      'slow.py': worker('slow', '1').replace('\n\n', top),
      'pyproject.toml': '',
    });
    const dev = new DevSession(project, bench.home, ['--auto-provision']);
    while (!existsSync(begun)) await sleep(20);
    assert.equal(await dev.stop(), 0, dev.stderr);
    assert.deepEqual(await live(project), []);
  });

  it('rebuilds a damaged cache, and executes nothing in it', async () => {
    const project = bench.project('hostile', files(['one']));
    const marker = path.join(bench.folder, 'executed');
    const pickles = path.join(bench.folder, 'pickles');
    mkdirSync(pickles);
    mkdirSync(path.join(project, '.toolkit'));
    writeHostilePickles(pickles, marker);
    for (const number of [0, 10, 32, 40]) {
      copyFileSync(path.join(pickles, `hostile-${number}.pkl`), path.join(project, '.toolkit/resources.pkl'));
      const dev = await DevSession.start(project, bench.home, ['--auto-provision']);
      assert.match(
        dev.stderr,
        /\.toolkit\/resources\.pkl was not written by the toolkit: .*will be replaced/,
      );
      assert.deepEqual(Object.keys(Object.values(resources(project))[0]!.endpoints), ['one']);
      await dev.stop();
    }
    assert.ok(!existsSync(marker));
  });
});
