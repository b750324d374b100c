/**
 * The command on an editor's own runtime, which acts as Node only for processes with ELECTRON_RUN_AS_NODE.
 */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { workbench } from '../setup/toolkit.ts';

const VARIABLE = 'ELECTRON_RUN_AS_NODE';

/** Features of Electron's Node that Node does not have. */
const ELECTRON = `Object.defineProperty(process.versions, 'electron', { value: '37.0.0' });`;

describe('the command on the runtime of an editor', () => {
  const bench = workbench({ after });
  const project = bench.project('shop', {
    'pyproject.toml': '[tool.toolkit]\napp = "shop"\n',
    'shop.py':
      'import os\nfrom toolkit_sdk import Endpoint\n\n@Endpoint(name="names", cpu="cpu3c-1-2")\ndef names() -> list:\n    return sorted(os.environ)\n',
  });

  it('starts the platform as Node, and workers without the variable', async () => {
    const runtime = path.join(bench.folder, 'electron.mjs');
    writeFileSync(runtime, ELECTRON);
    const env = { [VARIABLE]: '1', NODE_OPTIONS: `--import=${runtime}` };
    const deployed = await bench.toolkit(project, ['deploy', '--json'], { env });
    assert.equal(deployed.code, 0, deployed.stderr);
    const { pid } = JSON.parse(readFileSync(path.join(bench.home, 'platform.json'), 'utf8')) as {
      pid: number;
    };
    assert.match(readFileSync(`/proc/${pid}/environ`, 'utf8'), new RegExp(`${VARIABLE}=1`));
    const called = await bench.toolkit(project, ['call', 'names', '--json'], { env });
    assert.equal(called.code, 0, called.stderr);
    assert.match(called.stdout, /"PATH"/);
    assert.doesNotMatch(called.stdout, new RegExp(VARIABLE));
  });

  it('starts tools without the variable', async () => {
    const python = path.join(bench.folder, 'python');
    writeFileSync(python, `#!/bin/sh\nenv >>'${python}.env'\n`);
    chmodSync(python, 0o755);
    const ran = await bench.toolkit(project, ['sdk', 'install', '--python', python], {
      env: { [VARIABLE]: '1' },
    });
    assert.equal(ran.code, 0, ran.stderr);
    const seen = readFileSync(`${python}.env`, 'utf8');
    assert.match(seen, /^PATH=/m);
    assert.doesNotMatch(seen, new RegExp(VARIABLE));
  });
});
