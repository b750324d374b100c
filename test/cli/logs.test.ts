/** Logs as they grow: by time, by worker, and across a restart of the platform. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { logLineDocument } from '../../runtime/contract/cliDocuments.ts';
import { cleanEnvironment, type Ran, workbench } from '../setup/toolkit.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const worker = `from toolkit_sdk import Endpoint


@Endpoint(name="talk", cpu="cpu3c-1-2", workers=(0, 1))
def talk(text: str):
    """Say it."""
    print(text)
    return text
`;

describe('toolkit logs', () => {
  const bench = workbench({ after });
  let project: string;

  before(async () => {
    project = bench.project('talk', { 'pyproject.toml': '', 'talk.py': worker });
    await toolkit('platform', 'start', '--port', '0');
    const deployed = await toolkit('deploy');
    assert.equal(deployed.code, 0, deployed.stderr);
  });

  const toolkit = (...args: string[]): Promise<Ran> => bench.toolkit(project, args);
  const say = async (text: string): Promise<void> => {
    const ran = await toolkit('call', 'talk', '--input', JSON.stringify({ text }));
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  };
  const messages = (text: string): string[] =>
    text.split('\n').flatMap((line) => (line ? logLineDocument.parse(JSON.parse(line)).message : []));

  /** `logs -f`, and a function that waits for its output. */
  const follow = (...args: string[]) => {
    const child: ChildProcessWithoutNullStreams = spawn(
      process.execPath,
      [cli, 'logs', 'talk', '-f', '--json', ...args],
      { cwd: project, env: { ...cleanEnvironment(), TOOLKIT_HOME: bench.home } },
    );
    after(() => child.kill('SIGKILL'));
    const printed = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.err += chunk));
    const until = async (stream: 'out' | 'err', words: RegExp): Promise<void> => {
      for (const deadline = Date.now() + 20_000; !words.test(printed[stream]); await sleep(20))
        assert.ok(Date.now() < deadline, `${words} never came in ${JSON.stringify(printed)}`);
    };
    return { child, printed, until };
  };

  it('--since excludes older lines', async () => {
    await say('long ago');
    await sleep(1_100);
    await say('just now');
    assert.deepEqual(messages((await toolkit('logs', 'talk', '--json')).stdout), ['long ago', 'just now']);
    const first = (await toolkit('logs', 'talk', '--json')).stdout
      .split('\n')
      .map((line) => line && JSON.parse(line));
    assert.deepEqual(messages((await toolkit('logs', 'talk', '--json', '--since', first[1].time)).stdout), [
      'just now',
    ]);
    assert.deepEqual(messages((await toolkit('logs', 'talk', '--json', '--since', '10m')).stdout).length, 2);
    const none = await toolkit('logs', 'talk', '--since', '2099-01-01T00:00:00Z');
    assert.match(none.stderr, /No worker of "talk" has written anything since 2099/);
    const worker = first[0].worker;
    const lately = await toolkit('logs', 'talk', '--worker', worker, '--since', '0s');
    assert.match(lately.stderr, /has written nothing in the last 0s/);
  });

  it('--worker shows one worker; for an unknown one it lists the known ones', async () => {
    const [line] = (await toolkit('logs', 'talk', '--json')).stdout.split('\n');
    const { worker: id } = logLineDocument.parse(JSON.parse(line!));
    assert.deepEqual(messages((await toolkit('logs', 'talk', '--json', '--worker', id)).stdout), [
      'long ago',
      'just now',
    ]);
    const ran = await toolkit('logs', 'talk', '--worker', 'unknown');
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /no worker "unknown"/i);
    assert.match(ran.stderr, new RegExp(id));
  });

  it('-f prints each new line once, and exits with 130 on Ctrl+C', async () => {
    const { child, printed, until } = follow();
    await until('out', /just now/);
    await say('while following');
    await until('out', /while following/);
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    assert.equal(code, 130);
    const lines = printed.out.trim().split('\n');
    assert.equal(JSON.parse(lines.pop()!).error.code, 'INTERRUPTED');
    assert.deepEqual(messages(lines.join('\n')), ['long ago', 'just now', 'while following']);
  });

  it('-f waits for a stopped platform, and continues where it was', async () => {
    const { child, printed, until } = follow('--since', '1d');
    await until('out', /while following/);
    await toolkit('platform', 'stop');
    await until('err', /Lost the connection to .*; waiting/);
    await say('after the restart');
    await until('out', /after the restart/);
    assert.match(printed.err, /Reconnected/);
    child.kill('SIGTERM');
    assert.equal((await once(child, 'close'))[0], 130);
    const lines = printed.out.trim().split('\n').slice(0, -1);
    assert.deepEqual(messages(lines.join('\n')), [
      'long ago',
      'just now',
      'while following',
      'after the restart',
    ]);
  });

  it('-f ends when the endpoint is removed, and names it', async () => {
    const { child, printed, until } = follow();
    await until('out', /after the restart/);
    const closed = once(child, 'close');
    assert.equal((await toolkit('undeploy', 'talk', '--yes')).code, 0);
    const [code] = await closed;
    assert.equal(code, 1);
    const { error } = JSON.parse(printed.out.trim().split('\n').at(-1)!) as {
      error: { code: string; message: string };
    };
    assert.deepEqual(error, {
      code: 'ENDPOINT_NOT_FOUND',
      message: 'The endpoint "talk" was removed, and its log with it.',
      hint: null,
    });
  });
});
