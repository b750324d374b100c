/** What `doctor` finds, with faults that are there. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
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

  it('finds nothing wrong on a machine that passes the tests, and starts nothing', async () => {
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

  it('tells where the key comes from and who it is', async () => {
    await bench.toolkit(project, ['platform', 'start', '--port', '0']);
    const { code, checks } = await doctor();
    assert.equal(code, 0);
    assert.match(checks.get('key')!.detail, /the credentials file: owner key of embedded/);
    assert.match(checks.get('platform')!.detail, /http:\/\/127\.0\.0\.1:\d+/);
    assert.match(checks.get('clock')!.detail, /as the platform has it/);
    assert.match(checks.get('hiding')!.detail, /^functions (do not see|can read) \//);
    assert.match(checks.get('memory')!.detail, /^the (kernel keeps|memory of) workers /);
  });

  const FAULTS: [
    title: string,
    name: string,
    env: () => Record<string, string>,
    detail: RegExp,
    fix: RegExp,
  ][] = [
    [
      'an interpreter that is not there',
      'python',
      () => ({ TOOLKIT_PYTHON: '/nowhere/python' }),
      /\/nowhere\/python/,
      /TOOLKIT_PYTHON|Python/,
    ],
    [
      'a platform that does not answer',
      'platform',
      () => ({ PLATFORM_API_URL: 'http://127.0.0.1:2', PLATFORM_API_KEY: 'k' }),
      /127\.0\.0\.1:2 does not answer/,
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
      'an address that is none',
      'platform',
      () => ({ PLATFORM_API_URL: 'somewhere' }),
      /not an http address/,
      /https:\/\//,
    ],
    [
      'a key that the platform refuses',
      'key',
      () => ({ PLATFORM_API_KEY: 'from-elsewhere' }),
      /refused the key from the environment variable/,
      /unset it/,
    ],
    [
      'an nvidia-smi that finds no card',
      'gpu',
      () => {
        const tools = path.join(bench.folder, 'tools');
        mkdirSync(tools, { recursive: true });
        writeFileSync(path.join(tools, 'nvidia-smi'), '#!/bin/sh\nexit 9\n');
        chmodSync(path.join(tools, 'nvidia-smi'), 0o755);
        return { PATH: `${tools}:${process.env['PATH']}` };
      },
      /finds no card/,
      /driver/,
    ],
  ];
  for (const [title, name, env, detail, fix] of FAULTS)
    it(`names ${title}, with the repair, and exits 1`, async () => {
      const { code, checks } = await doctor(env());
      assert.equal(code, 1);
      const found = checks.get(name)!;
      assert.equal(found.ok, false);
      assert.match(found.detail, detail);
      assert.match(found.fix!, fix);
    });

  it('names a pyproject.toml that is no TOML, and looks at everything else', async () => {
    const broken = bench.project('broken', { 'pyproject.toml': '[tool' });
    const { code, checks } = await doctor({}, broken);
    assert.equal(code, 1);
    assert.match(checks.get('configuration')!.detail, /pyproject\.toml: line 1/);
    assert.equal(checks.get('node')!.ok, true);
  });
});
