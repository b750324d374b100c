import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { sdkInstallDocument } from '../../runtime/contract/cliDocuments.ts';
import { workbench } from '../setup/toolkit.ts';

const python = path.join(import.meta.dirname, '../../.venv/bin/python');

describe('toolkit sdk install', () => {
  it('installs the bundled package into a virtual environment, and reinstalls it', async (t) => {
    const bench = workbench(t);
    const environment = path.join(bench.folder, 'environment');
    execFileSync(python, ['-m', 'venv', environment]);
    for (const round of [1, 2]) {
      const ran = await bench.toolkit(bench.folder, ['sdk', 'install', '--python', environment, '--json']);
      assert.equal(ran.code, 0, `${round}: ${ran.stderr}`);
      const { python: installed, version } = sdkInstallDocument.parse(ran.json<unknown>());
      const code =
        'import toolkit_sdk, importlib.metadata as m; print(m.version("toolkit-sdk"), toolkit_sdk.__version__)';
      assert.equal(
        execFileSync(installed, ['-c', code], { encoding: 'utf8' }).trim(),
        `${version} ${version}`,
      );
    }
  });

  it('reports a folder that is not a virtual environment, and how to make one', async (t) => {
    const bench = workbench(t);
    mkdirSync(path.join(bench.folder, 'empty'));
    const ran = await bench.toolkit(bench.folder, ['sdk', 'install', '--python', 'empty', '--json']);
    assert.equal(ran.code, 1);
    const { error } = ran.json<{ error: { code: string; hint: string } }>();
    assert.equal(error.code, 'PYTHON_NOT_FOUND');
    assert.match(error.hint, /python3 -m venv empty/);
  });

  it('reports a program that does not exist', async (t) => {
    const bench = workbench(t);
    const ran = await bench.toolkit(bench.folder, ['sdk', 'install', '--python', 'no-such-python']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /no-such-python does not exist, and no such program is on PATH\./);
  });

  it('reports a VIRTUAL_ENV that names a missing folder', async (t) => {
    const bench = workbench(t);
    const environment = path.join(bench.folder, '.venv');
    execFileSync(python, ['-m', 'venv', environment]);
    const ran = await bench.toolkit(bench.folder, ['sdk', 'install', '--project', bench.folder], {
      env: { VIRTUAL_ENV: path.join(bench.folder, 'gone') },
    });
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(
      ran.stderr,
      /VIRTUAL_ENV is .*gone, which has no bin\/python, so another interpreter is used/,
    );
    assert.ok(ran.stdout.includes(path.join(environment, 'bin/python')));
  });
});
