/**
 * Scripts that import a declared function and call it: they get the deployed result, from anywhere with the
 * right context.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { cleanEnvironment, workbench } from './setup/toolkit.ts';

const python = path.join(import.meta.dirname, '../.venv/bin/python');
const sdk = path.join(import.meta.dirname, '../runtime/python');

const files = {
  'pyproject.toml': '[project]\nname = "scripts"\n\n[tool.toolkit]\napp = "scripts"\n',
  'worker.py': `from toolkit_sdk import Endpoint


@Endpoint(name="where", cpu="cpu3c-1-2", workers=(0, 1))
def where(text: str, times: int = 2) -> dict:
    """Tell where this runs."""
    import os

    return {"text": text * times, "app": os.environ["TOOLKIT_APP"], "env": os.environ["TOOLKIT_ENV"]}


@Endpoint(name="fails", cpu="cpu3c-1-2", workers=(0, 1))
async def fails(text: str) -> dict:
    """Fail."""
    raise ValueError("no " + text)


api = Endpoint(name="routes", cpu="cpu3c-1-2", workers=(0, 1))


@api.get("/double/{number}")
async def double(number: int, plus: int = 0) -> int:
    """Double a number."""
    return number * 2 + plus
`,
  'script.py': `import asyncio

from worker import double, fails, where

print(where("ab", times=3))
print(asyncio.run(double(4, plus=1)))
try:
    asyncio.run(fails("way"))
except Exception as error:
    print(type(error).__name__, error.error_type, error.message, "worker.py" in str(error))
`,
};

describe('a script that calls a declared function', () => {
  const bench = workbench({ after });
  let project: string;
  let elsewhere: string;

  before(async () => {
    project = bench.project('scripts', files);
    // Outside the bench, whose folder could be taken for a project.
    elsewhere = mkdtempSync(path.join(tmpdir(), 'elsewhere-'));
    mkdirSync(path.join(elsewhere, 'deep'));
    for (const file of ['worker.py', 'script.py'])
      copyFileSync(path.join(project, file), path.join(elsewhere, 'deep', file));
    const deployed = await bench.toolkit(project, ['deploy', '--json']);
    assert.equal(deployed.code, 0, deployed.stdout + deployed.stderr);
  });

  after(() => rmSync(elsewhere, { recursive: true, force: true }));

  const script = (
    cwd: string,
    env: Record<string, string> = {},
  ): Promise<{ stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const environment = { ...cleanEnvironment(), PYTHONPATH: sdk, TOOLKIT_HOME: bench.home, ...env };
      execFile(python, ['script.py'], { cwd, env: environment }, (_error, stdout, stderr) =>
        resolve({ stdout, stderr }),
      );
    });

  it('gets the deployed result; TOOLKIT_APP and TOOLKIT_ENV are set inside the worker', async () => {
    const { stdout, stderr } = await script(project);
    assert.deepEqual(
      stdout.trim().split('\n'),
      [
        "{'text': 'ababab', 'app': 'scripts', 'env': 'production'}",
        '9',
        'RemoteError ValueError no way True',
      ],
      stderr,
    );
  });

  it('copied elsewhere raises the specified error, which names the endpoint and the hints', async () => {
    const { stdout, stderr } = await script(path.join(elsewhere, 'deep'));
    assert.equal(stdout, '');
    assert.match(stderr, /CallError: .*where/);
    assert.match(stderr, /toolkit dev/);
    assert.match(stderr, /TOOLKIT_APP and TOOLKIT_ENV/);
  });

  it('copied elsewhere works again with TOOLKIT_APP and TOOLKIT_ENV', async () => {
    const { stdout, stderr } = await script(path.join(elsewhere, 'deep'), {
      TOOLKIT_APP: 'scripts',
      TOOLKIT_ENV: 'production',
    });
    assert.match(stdout, /'text': 'ababab'/, stderr);
  });

  it('reports an app that is not deployed', async () => {
    const { stderr } = await script(project, { TOOLKIT_ENV: 'staging' });
    assert.match(stderr, /"where"|where/);
    assert.match(stderr, /staging/);
    assert.match(stderr, /toolkit deploy/);
  });

  it('reports how to start a stopped platform', async () => {
    await bench.toolkit(project, ['platform', 'stop']);
    const { stderr } = await script(project);
    assert.match(stderr, /toolkit platform start/);
  });
});
