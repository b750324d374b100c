/** What `doctor` reports about real faults. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  type DoctorDocument,
  doctorDocument,
  type PlatformDocument,
} from '../../runtime/contract/cliDocuments.ts';
import { workbench } from '../setup/toolkit.ts';

describe('toolkit doctor', () => {
  const bench = workbench({ after });
  let project: string;

  before(() => {
    project = bench.project('shop', { 'pyproject.toml': '' });
  });

  const doctor = async (
    env: Record<string, string> = {},
    cwd = project,
  ): Promise<{ code: number | null; checks: Map<string, DoctorDocument['checks'][number]> }> => {
    const ran = await bench.toolkit(cwd, ['doctor', '--json'], { env });
    const { checks } = doctorDocument.parse(ran.json());
    return { code: ran.code, checks: new Map(checks.map((check) => [check.name, check])) };
  };

  it('reports no problem on a machine that passes the tests, and starts nothing', async () => {
    const { code, checks } = await doctor();
    assert.equal(code, 0, JSON.stringify([...checks.values()]));
    for (const { ok, fix } of checks.values()) assert.ok(ok && fix === null);
    assert.deepEqual(
      [...checks.keys()],
      [
        'host',
        'node',
        'python',
        'uv',
        'gpu',
        'containers',
        'disk',
        'home',
        'user',
        'hiding',
        'memory',
        'project',
        'platform',
        'key',
        'clock',
      ],
    );
    const status = await bench.toolkit(project, ['platform', 'status', '--json']);
    assert.equal(status.json<PlatformDocument>().running, false);
  });

  it('reports the source of the key and its owner', async () => {
    await bench.toolkit(project, ['platform', 'start', '--port', '0']);
    const { code, checks } = await doctor();
    assert.equal(code, 0);
    assert.match(checks.get('key')!.detail, /the credentials file: owner key of embedded/);
    assert.match(checks.get('platform')!.detail, /http:\/\/127\.0\.0\.1:\d+/);
    assert.match(checks.get('clock')!.detail, /same as the platform's/);
    assert.match(
      checks.get('user')!.detail,
      /^functions run as (root|your user \(\d+\)), and can change or delete/,
    );
    assert.match(checks.get('hiding')!.detail, /^functions (cannot see|can read) \//);
    assert.match(
      checks.get('memory')!.detail,
      /^(the kernel limits workers' memory|workers' memory is polled)/,
    );
  });

  /** A PATH on which this program is found first. */
  function pathWith(name: string, script: string): string {
    const tools = path.join(bench.folder, `tools-${name}`);
    mkdirSync(tools);
    writeFileSync(path.join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return `${tools}:${process.env['PATH']}`;
  }

  it('reports that builds do not use a uv that is too old', async () => {
    const env = {
      PATH: pathWith('uv', 'echo "uv 0.12.10 (x86_64-unknown-linux-gnu)"'),
      TOOLKIT_HOME: path.join(bench.folder, 'new-home'),
    };
    const { checks } = await doctor(env);
    assert.match(
      checks.get('uv')!.detail,
      /^uv 0\.12\.10 .* is older than 0\.12\.11; .* installs another uv/,
    );
  });

  const FAULTS: [
    title: string,
    name: string,
    env: () => Record<string, string>,
    detail: RegExp,
    fix: RegExp,
  ][] = [
    [
      'a missing interpreter',
      'python',
      () => ({ TOOLKIT_PYTHON: '/nowhere/python' }),
      /\/nowhere\/python/,
      /TOOLKIT_PYTHON|Python/,
    ],
    [
      'a platform that does not respond',
      'platform',
      () => ({ PLATFORM_API_URL: 'http://127.0.0.1:2', PLATFORM_API_KEY: 'k' }),
      /127\.0\.0\.1:2 does not respond/,
      /PLATFORM_API_URL/,
    ],
    [
      'no key for a platform',
      'key',
      () => ({ PLATFORM_API_URL: 'http://127.0.0.1:2' }),
      /no key for the platform/,
      /toolkit login/,
    ],
    [
      'an invalid address',
      'platform',
      () => ({ PLATFORM_API_URL: 'somewhere' }),
      /not an HTTP URL/,
      /https:\/\//,
    ],
    [
      'a key that the platform refuses',
      'key',
      () => ({ PLATFORM_API_KEY: 'from-elsewhere' }),
      /rejected the key from the environment variable/,
      /Unset PLATFORM_API_KEY/,
    ],
    [
      'an nvidia-smi that finds no GPU',
      'gpu',
      () => ({ PATH: pathWith('nvidia-smi', 'exit 9') }),
      /finds no GPU/,
      /driver/,
    ],
  ];
  for (const [title, name, env, detail, fix] of FAULTS)
    it(`reports ${title} with the fix, and exits with 1`, async () => {
      const { code, checks } = await doctor(env());
      assert.equal(code, 1);
      const found = checks.get(name)!;
      assert.equal(found.ok, false);
      assert.match(found.detail, detail);
      assert.match(found.fix!, fix);
    });

  it('reports a pyproject.toml that is not TOML, and checks everything else', async () => {
    const broken = bench.project('broken', { 'pyproject.toml': '[tool' });
    const { code, checks } = await doctor({}, broken);
    assert.equal(code, 1);
    assert.match(checks.get('configuration')!.detail, /pyproject\.toml: line 1/);
    assert.equal(checks.get('node')!.ok, true);
  });
});
