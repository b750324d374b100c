/** Signals at every step of a command: exit 130, nothing left behind, and the next command works. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOME_FILES, type PlatformRecord } from '../../runtime/contract/stateManager.ts';
import { cleanEnvironment, workbench, writeProject } from '../setup/toolkit.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const endpoint = (value: number, load: number): string => `import time

from toolkit_sdk import Endpoint

time.sleep(${load})


@Endpoint(name="one", cpu="cpu3c-1-2", workers=(0, 1))
def one(seconds: float = 0):
    """Answer."""
    time.sleep(seconds)
    return ${value}
`;

interface Interrupted {
  code: number | null;
  by: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

describe('signals', () => {
  const bench = workbench({ after });
  let project: string;
  let value = 0;

  before(async () => {
    project = bench.project('shop', { 'pyproject.toml': '', 'one.py': endpoint(0, 0) });
    await bench.toolkit(project, ['platform', 'start', '--port', '0']);
    assert.equal((await bench.toolkit(project, ['deploy'])).code, 0);
  });

  /** Sends a signal after the command has printed something, or after some milliseconds. */
  const interrupt = async (
    args: string[],
    signal: NodeJS.Signals,
    when: RegExp | number,
    cwd = project,
  ): Promise<Interrupted> => {
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home };
    const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [cli, ...args], { cwd, env });
    const printed = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.stderr += chunk));
    const closed = once(child, 'close');
    if (typeof when === 'number') await sleep(when);
    else
      for (const deadline = Date.now() + 30_000; !when.test(printed.stdout + printed.stderr); await sleep(5))
        assert.ok(Date.now() < deadline && child.exitCode === null, `${when} never came: ${printed.stderr}`);
    child.kill(signal);
    const [code, by] = await closed;
    return { code, by, ...printed };
  };
  const deploySucceeds = async (): Promise<void> => {
    writeProject(project, { 'one.py': endpoint((value += 1), 0) });
    const ran = await bench.toolkit(project, ['deploy', '--yes']);
    assert.equal(ran.code, 0, ran.stderr);
    const called = await bench.toolkit(project, ['call', 'one', '--json']);
    assert.equal(called.json<{ output: number }>().output, value);
  };

  const STEPS: [step: string, when: RegExp][] = [
    ['after the build', /✓ Build/],
    ['after the upload', /✓ Upload/],
    ['while workers start', /one starting/],
  ];
  for (const [index, [step, when]] of STEPS.entries())
    it(`${SIGNALS[index]} ${step} of a deploy: exit 130, no build folder, the next deploy succeeds`, async () => {
      writeProject(project, { 'one.py': endpoint((value += 1), 3) });
      const { code, stderr } = await interrupt(['deploy', '--verbose'], SIGNALS[index]!, when);
      assert.equal(code, 130, stderr);
      assert.match(stderr, /Interrupted/);
      if (step === 'while workers start')
        assert.match(stderr, /rolling out build \d+; the platform continues the rollout/);
      assert.equal(existsSync(path.join(project, '.toolkit/.build')), false);
      // The rollout, which continues by itself, holds the environment until it ends.
      for (const deadline = Date.now() + 30_000; ; await sleep(100)) {
        const ran = await bench.toolkit(project, ['deploy', '--json']);
        if (ran.code === 0) break;
        assert.match(ran.stdout, /DEPLOY_CONFLICT/);
        assert.ok(Date.now() < deadline);
      }
      await deploySucceeds();
    });

  it('signals at any moment of a deploy: 130, or done; the next one succeeds', async () => {
    for (const [index, milliseconds] of [60, 120, 180, 250, 330, 420].entries()) {
      writeProject(project, { 'one.py': endpoint((value += 1), 0) });
      const { code, by, stderr } = await interrupt(['deploy'], SIGNALS[index % 3]!, milliseconds);
      // Before the first line of the CLI runs, the signal ends Node itself.
      assert.ok(code === 130 || code === 0 || by !== null, `${code} ${by} ${stderr}`);
      assert.equal(existsSync(path.join(project, '.toolkit/.build')), false);
    }
    await deploySucceeds();
  });

  for (const signal of SIGNALS)
    it(`${signal} while a call waits: the job is cancelled, exit 130`, async () => {
      const { code, stderr } = await interrupt(
        ['call', 'one', '--input', '{"seconds": 60}', '--verbose'],
        signal,
        /Waiting for one/,
      );
      assert.equal(code, 130, stderr);
      assert.match(stderr, /Interrupted; the job \S+ was cancelled/);
      assert.equal((await bench.toolkit(project, ['call', 'one'])).code, 0);
    });

  for (const signal of SIGNALS)
    it(`${signal} while logs are followed: exit 130`, async () => {
      const { code } = await interrupt(['logs', 'one', '-f'], signal, 700);
      assert.equal(code, 130);
    });

  it('signals at any moment of init: all of the files or none', async () => {
    for (const [index, milliseconds] of [30, 50, 60, 70, 80, 100].entries()) {
      const name = `made${index}`;
      const { code, by } = await interrupt(['init', name], SIGNALS[index % 3]!, milliseconds, bench.folder);
      const folder = path.join(bench.folder, name);
      const files = existsSync(folder) ? readdirSync(folder).length : 0;
      assert.ok(files === 0 || files === 8, `${files} files, ${code} ${by}`);
      assert.equal((await bench.toolkit(bench.folder, ['init', name, '--force'])).code, 0);
    }
  });

  it('a second signal ends a command that is still cleaning up', async () => {
    const { pid } = JSON.parse(
      readFileSync(path.join(bench.home, HOME_FILES.record), 'utf8'),
    ) as PlatformRecord;
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home };
    const args = [cli, 'call', 'one', '--input', '{"seconds": 60}', '--verbose'];
    const child = spawn(process.execPath, args, { cwd: project, env });
    const closed = once(child, 'close');
    for await (const chunk of child.stderr) if (/Waiting for one/.test(String(chunk))) break;
    // The first signal asks the platform to cancel the job, and a stopped platform does not respond.
    process.kill(pid, 'SIGSTOP');
    try {
      child.kill('SIGINT');
      child.kill('SIGTERM');
      const [code, by] = await closed;
      assert.deepEqual({ code, by }, { code: null, by: 'SIGKILL' });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
