/** Real faults as commands meet them: each is reported with its hint, and the next command works. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  DeployDocument,
  PlatformDocument,
  StatusDocument,
} from '../../runtime/contract/cliDocuments.ts';
import {
  cleanEnvironment,
  type Ran,
  runCommand,
  type Workbench,
  workbench,
  writeProject,
} from '../setup/toolkit.ts';
import { readOnly } from './mounts.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');

interface ErrorDocument {
  error: { code: string; message: string; hint: string };
}

/** An endpoint that returns `value`, and takes the given seconds to load. */
const endpoint = (name: string, value: number, more = '', load = 0): string => `import time

from toolkit_sdk import Endpoint

time.sleep(${load})


@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, 1)${more})
def ${name}():
    """Answer."""
    return ${value}
`;

const errorOf = (ran: Ran, code: string): ErrorDocument['error'] => {
  assert.equal(ran.code, 1, ran.stdout + ran.stderr);
  const { error } = ran.json<ErrorDocument>();
  assert.equal(error.code, code, error.message);
  return error;
};

const answerOf = async (bench: Workbench, project: string, name: string): Promise<unknown> => {
  const ran = await bench.toolkit(project, ['call', name, '--json']);
  return ran.json<{ output: unknown }>().output;
};

/** A port of this machine with a server that returns 404. */
async function listening(t: TestContext): Promise<number> {
  const server = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('with two endpoints deployed', () => {
  const bench = workbench({ after });
  let project: string;

  before(async () => {
    project = bench.project('shop', {
      'pyproject.toml': '',
      'one.py': endpoint('one', 1),
      'two.py': endpoint('two', 2),
    });
    await bench.toolkit(project, ['platform', 'start', '--port', '0', '--quota', '5']);
    await deploy();
  });

  const deploy = async (...flags: string[]): Promise<DeployDocument> => {
    const ran = await bench.toolkit(project, ['deploy', '--json', ...flags]);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    return ran.json();
  };
  const deployed = async (): Promise<[string, number][]> =>
    (await bench.toolkit(project, ['status', '--json']))
      .json<StatusDocument>()
      .endpoints.map(({ name, build }) => [name, build]);
  const unchanged = async (work: () => Promise<void>): Promise<void> => {
    const before = await deployed();
    await work();
    assert.deepEqual(await deployed(), before);
  };

  it('a file that does not parse next to good ones: nothing is deployed or removed', () =>
    unchanged(async () => {
      writeProject(project, {
        'two.py': 'from toolkit_sdk import Endpoint\n@Endpoint(name="two"\ndef two(:\n',
      });
      const error = errorOf(
        await bench.toolkit(project, ['deploy', '--yes', '--json']),
        'PROJECT_HAS_ERRORS',
      );
      assert.match(error.message, /two\.py:\d+:\d+/);
      writeProject(project, { 'two.py': endpoint('two', 2) });
    }));

  it('no endpoints: an emptied project removes nothing', () =>
    unchanged(async () => {
      const empty = bench.project('empty', { 'pyproject.toml': '', 'plain.py': 'x = 1\n' });
      const ran = await bench.toolkit(empty, ['deploy', '--yes', '--app', 'shop', '--json']);
      assert.match(errorOf(ran, 'NO_ENDPOINTS').hint, /decorator syntax/);
    }));

  it("quota: a deploy over the platform's quota is refused before anything is uploaded", () =>
    unchanged(async () => {
      const ran = await bench.toolkit(
        bench.project('large', {
          'pyproject.toml': '',
          'w.py': endpoint('large', 1).replace('(0, 1)', '(0, 9)'),
        }),
        ['deploy', '--json'],
      );
      const error = errorOf(ran, 'QUOTA_EXCEEDED');
      assert.match(error.message, /large/);
      assert.doesNotMatch(ran.stderr, /Upload/);
    }));

  it('a missing key: no request is sent to the platform', async (t) => {
    const url = `http://127.0.0.1:${await listening(t)}`;
    const ran = await bench.toolkit(project, ['deploy', '--json'], { env: { PLATFORM_API_URL: url } });
    assert.match(errorOf(ran, 'KEY_MISSING').hint, /PLATFORM_API_KEY/);
  });

  it('a foreign key: reported with its source, before the build', () =>
    unchanged(async () => {
      const ran = await bench.toolkit(project, ['deploy', '--json'], {
        env: { PLATFORM_API_KEY: 'foreign-key' },
      });
      const error = errorOf(ran, 'KEY_REJECTED');
      assert.match(error.message, /environment variable PLATFORM_API_KEY/);
      assert.match(error.hint, /Unset PLATFORM_API_KEY/);
      assert.doesNotMatch(ran.stderr, /Build/);
      assert.ok(!`${ran.stdout}${ran.stderr}`.includes('foreign-key'));
    }));

  it('.env with another address: none of your keys is sent there', async (t) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cloned = bench.project('cloned', {
      'pyproject.toml': '',
      'w.py': endpoint('w', 1),
      '.env': `PLATFORM_API_URL=${url}\n`,
    });
    for (const command of [
      ['deploy'],
      ['status'],
      ['logs', 'w'],
      ['call', 'w'],
      ['undeploy', 'w', '--yes'],
      ['list', '--deployed'],
    ]) {
      const ran = await bench.toolkit(cloned, [...command, '--json'], {
        env: { PLATFORM_API_KEY: 'own-key' },
      });
      errorOf(ran, 'KEY_WITHHELD');
    }
    assert.deepEqual(asked, []);
  });

  it('two deploys at once: each succeeds or changes nothing, and one version serves', async () => {
    const other = bench.project('shop-2', {
      'pyproject.toml': '[tool.toolkit]\napp = "shop"\n',
      'one.py': endpoint('one', 11),
      'two.py': endpoint('two', 12),
    });
    const both = await Promise.all(
      [project, other].map((folder) => bench.toolkit(folder, ['deploy', '--env', 'race', '--json'])),
    );
    const lost = both.filter(({ code }) => code !== 0);
    assert.ok(lost.length <= 1);
    for (const ran of lost) assert.match(errorOf(ran, 'DEPLOY_CONFLICT').hint, /./);
    const answers = [];
    for (const name of ['one', 'two']) {
      const ran = await bench.toolkit(project, ['call', name, '--env', 'race', '--json']);
      answers.push(ran.json<{ output: number }>().output);
    }
    assert.ok(['1,2', '11,12'].includes(answers.join()), `versions are mixed: ${answers.join()}`);
    await bench.toolkit(project, ['undeploy', '--all', '--yes', '--env', 'race']);
  });

  it('platform killed during a deploy: reported, the previous build serves, the next deploy succeeds', async () => {
    writeProject(project, { 'one.py': endpoint('one', 100, '', 30), 'two.py': endpoint('two', 200, '', 30) });
    const child = spawn(process.execPath, [cli, 'deploy', '--verbose'], {
      cwd: project,
      env: { ...cleanEnvironment(), TOOLKIT_HOME: bench.home },
    });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    for (const deadline = Date.now() + 30_000; !/one starting/.test(printed); await sleep(20))
      assert.ok(Date.now() < deadline, printed);
    const { pid } = (await bench.toolkit(project, ['platform', 'status', '--json'])).json<PlatformDocument>();
    process.kill(pid!, 'SIGKILL');
    assert.equal((await once(child, 'close'))[0], 1);
    assert.match(printed, /Lost the connection .* while build \d+ was rolling out/);
    assert.match(printed, /Deploy again/);

    assert.equal(await answerOf(bench, project, 'one'), 1);
    writeProject(project, { 'one.py': endpoint('one', 100), 'two.py': endpoint('two', 200) });
    const { plan } = await deploy();
    assert.deepEqual(
      plan.update.map(({ name }) => name),
      ['one', 'two'],
    );
    assert.equal(await answerOf(bench, project, 'two'), 200);
  });

  it('dependency that does not exist: named with its endpoint and location, and nothing changes', async (t) => {
    const index = `http://127.0.0.1:${await listening(t)}/simple`;
    await unchanged(async () => {
      const needy = bench.project('needy', {
        'pyproject.toml': '',
        'w.py': endpoint('needy', 1, ', dependencies=["no-such-distribution"]'),
      });
      const ran = await bench.toolkit(needy, ['deploy', '--json'], {
        env: { UV_INDEX_URL: index, PIP_INDEX_URL: index, UV_DEFAULT_INDEX: index },
      });
      const error = errorOf(ran, 'DEPENDENCY_UNRESOLVED');
      assert.match(error.message, /no-such-distribution/);
      assert.match(error.message + error.hint, /needy/);
      assert.ok(!existsSync(path.join(needy, '.toolkit/artifact.tar.gz')));
    });
  });

  it('read-only project folder: reported with the path; check works, and so does the next deploy', async (t) => {
    const folder = bench.project('kept', { 'pyproject.toml': '', 'w.py': endpoint('kept', 1) });
    readOnly(t, folder);
    const ran = await bench.toolkit(folder, ['deploy', '--json']);
    const error = errorOf(ran, 'NOT_WRITABLE');
    assert.match(error.message, /kept/);
    assert.equal((await bench.toolkit(folder, ['check'])).code, 0);
    assert.equal(
      (await bench.toolkit(folder, ['init', '.', '--force', '--json'])).json<ErrorDocument>().error.code,
      'NOT_WRITABLE',
    );
    await deploy();
  });

  it('broken pipe: a reader that ends is not an error', async () => {
    for (const command of ['list', 'status', 'logs one', 'list --json', 'deploy --dry-run']) {
      const line = `set -o pipefail; "${process.execPath}" "${cli}" ${command} | true`;
      const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home };
      const ran = await runCommand('bash', ['-c', line], { cwd: project, env });
      assert.equal(ran.code, 0, `${command}: ${ran.stderr}`);
      assert.doesNotMatch(ran.stderr, /EPIPE|error/);
    }
    // A command that would run forever ends with its reader, at the next line that it writes.
    writeProject(project, {
      'one.py': endpoint('one', 1).replace('    return', '    print("said")\n    return'),
    });
    await deploy();
    await answerOf(bench, project, 'one');
    const line = `set -o pipefail; "${process.execPath}" "${cli}" logs one -f | head -n 1`;
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home };
    const followed = runCommand('bash', ['-c', line], { cwd: project, env });
    const deadline = Date.now() + 20_000;
    while (await Promise.race([followed.then(() => false), sleep(200, true)])) {
      assert.ok(Date.now() < deadline, 'logs -f continues without its reader');
      await answerOf(bench, project, 'one');
    }
    assert.equal((await followed).code, 0, (await followed).stderr);
  });

  it('two TOOLKIT_HOMEs: two separate platforms, each with its own key and endpoints', async (t) => {
    const second = path.join(bench.folder, 'second');
    mkdirSync(second);
    symlinkSync(path.join(bench.home, 'cache'), path.join(second, 'cache'));
    const there = (args: string[], env: Record<string, string> = {}): Promise<Ran> =>
      bench.toolkit(project, args, { env: { TOOLKIT_HOME: second, ...env } });
    t.after(async () => {
      await there(['platform', 'stop']);
    });
    assert.equal((await there(['deploy'])).code, 0);
    const [a, b] = await Promise.all(
      [bench.home, second].map(async (home) => {
        const env = { TOOLKIT_HOME: home };
        const key = (await bench.toolkit(project, ['platform', 'key'], { env })).stdout;
        const status = (
          await bench.toolkit(project, ['platform', 'status', '--json'], { env })
        ).json<PlatformDocument>();
        return { key, url: status.url };
      }),
    );
    assert.notEqual(a!.key, b!.key);
    assert.notEqual(a!.url, b!.url);
    errorOf(await there(['status', '--json'], { PLATFORM_API_KEY: a!.key.trim() }), 'KEY_REJECTED');
    await there(['undeploy', '--all', '--yes']);
    assert.equal((await deployed()).length, 2, 'the other home lost its endpoints');
  });
});

describe('without a platform', () => {
  const bench = workbench({ after });

  it('port taken: reported with the hint, and no process is left', async (t) => {
    const port = String(await listening(t));
    const ran = await bench.toolkit(bench.folder, ['platform', 'start', '--port', port, '--json']);
    const error = errorOf(ran, 'PORT_IN_USE');
    assert.match(error.message, new RegExp(port));
    assert.match(error.hint, /--port/);
    const status = await bench.toolkit(bench.folder, ['platform', 'status', '--json']);
    assert.equal(status.json<PlatformDocument>().running, false);
  });

  it('no HOME: commands work, with state in TOOLKIT_HOME', async () => {
    const project = bench.project('homeless', { 'pyproject.toml': '', 'w.py': endpoint('w', 1) });
    const { HOME: _, ...homeless } = cleanEnvironment();
    const env = { ...homeless, TOOLKIT_HOME: bench.home };
    for (const command of ['check', 'list', 'build', 'doctor']) {
      const ran = await runCommand(process.execPath, [cli, command], { cwd: project, env });
      assert.equal(ran.code, 0, `${command}: ${ran.stdout}${ran.stderr}`);
    }
  });

  it('TERM=dumb: the output has no control characters', async () => {
    const project = bench.project('dumb', { 'pyproject.toml': '', 'w.py': endpoint('w', 1) });
    const line = `"${process.execPath}" "${cli}" build`;
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home, TERM: 'dumb' };
    const ran = await runCommand('script', ['-qefc', line, '/dev/null'], { cwd: project, env });
    assert.equal(ran.code, 0, ran.stdout);
    assert.doesNotMatch(ran.stdout, /\u001B/);
  });

  it('a damaged record of the platform: the next command starts one', async () => {
    const project = bench.project('damaged', { 'pyproject.toml': '', 'w.py': endpoint('w', 1) });
    await bench.toolkit(project, ['platform', 'start', '--port', '0']);
    const record = path.join(bench.home, 'platform.json');
    assert.match(readFileSync(record, 'utf8'), /"pid"/);
    await bench.toolkit(project, ['platform', 'stop']);
    rmSync(record, { force: true });
    writeProject(bench.home, { 'platform.json': '{"url":' });
    assert.equal((await bench.toolkit(project, ['status', '--json'])).code, 0);
  });
});
