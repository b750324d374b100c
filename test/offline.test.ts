/** No network: each command runs in a namespace whose only interface is loopback. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { cleanEnvironment, cli, type Ran, runCommand, workbench } from './setup/toolkit.ts';

describe('without a network', () => {
  const bench = workbench({ after });
  let namespace: ChildProcess;
  let inside: string[];

  before(async () => {
    const script = 'ip link set lo up && echo ready && exec sleep 600';
    namespace = spawn('unshare', ['--map-root-user', '--net', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ready = await Promise.race([
      once(namespace.stdout!, 'data').then(() => true),
      once(namespace, 'exit').then(() => false),
    ]);
    assert.ok(ready, 'No network namespace can be made: run as root, or allow unprivileged user namespaces.');
    inside = ['--preserve-credentials', '--user', '--net', '--target', String(namespace.pid), '--'];
  });
  after(() => namespace.kill());

  const offline = (cwd: string, args: string[], home = bench.home): Promise<Ran> =>
    runCommand('nsenter', [...inside, process.execPath, cli, ...args], {
      cwd,
      env: { ...cleanEnvironment(), TOOLKIT_HOME: home },
    });

  it('the namespace reaches no host', () => {
    const route = execFileSync('nsenter', [...inside, 'ip', 'route', 'show', 'table', 'main'], {
      encoding: 'utf8',
    });
    assert.equal(route, '');
  });

  it('a new project is built from the cache and deployed, and responds', async () => {
    const warm = await bench.toolkit(bench.folder, ['init', 'warm']);
    assert.equal(warm.code, 0, warm.stderr);
    const built = await bench.toolkit(path.join(bench.folder, 'warm'), ['build']);
    assert.equal(built.code, 0, built.stderr);

    const made = await offline(bench.folder, ['init', 'island']);
    assert.equal(made.code, 0, made.stderr);
    const island = path.join(bench.folder, 'island');
    const rebuilt = await offline(island, ['build']);
    assert.equal(rebuilt.code, 0, rebuilt.stderr);
    const deployed = await offline(island, ['deploy']);
    assert.equal(deployed.code, 0, deployed.stderr);
    const called = await offline(island, ['call', 'lb_worker', '--route', 'GET /health']);
    assert.equal(called.code, 0, called.stderr);
    await offline(island, ['platform', 'stop']);
  });

  it('a first use reports what is missing and what to do', async () => {
    const home = path.join(bench.folder, 'empty-home');
    mkdirSync(home);
    const project = path.join(bench.folder, 'first');
    assert.equal((await bench.toolkit(bench.folder, ['init', 'first'])).code, 0);
    const ran = await offline(project, ['build', '--json'], home);
    assert.equal(ran.code, 1, ran.stdout + ran.stderr);
    const { error } = ran.json<{ error: { code: string; message: string; hint: string } }>();
    assert.match(error.message, /uv|fastapi/);
    assert.match(error.hint, /network/);
    rmSync(home, { recursive: true });
  });
});
