/** The scripts that an integrated terminal finds as `toolkit`. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { batchShim, shellShim } from '../../client/terminal/shims.ts';

describe('the shims of the command', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'toolkit-shims-'));
  after(() => rmSync(root, { recursive: true, force: true }));

  it('pass the arguments to the program unchanged, for any path of editor and extension', () => {
    const folder = path.join(root, `it's "$HOME" & \`co\` %PATH%; ö`);
    mkdirSync(folder);
    const program = { runtime: path.join(folder, 'code'), script: path.join(folder, 'cli.mjs') };
    symlinkSync(process.execPath, program.runtime);
    writeFileSync(
      program.script,
      'console.log(JSON.stringify([process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE])); process.exitCode = 3;',
    );
    const shim = path.join(root, 'toolkit');
    writeFileSync(shim, shellShim(program));
    chmodSync(shim, 0o755);
    const args = ['call', '--input', `{"a": "$HOME 'x' \\"y\\""}`, ''];
    assert.throws(
      () => execFileSync(shim, args, { encoding: 'utf8', stdio: 'pipe' }),
      ({ status, stdout }: { status: number; stdout: string }) => {
        assert.equal(status, 3);
        assert.deepEqual(JSON.parse(stdout), [args, '1']);
        return true;
      },
    );
  });

  it('use CRLF line ends for cmd.exe, and keep percent signs of paths', () => {
    const shim = batchShim({ runtime: 'C:\\100% code\\Code.exe', script: 'C:\\x y\\cli.js' });
    assert.equal(
      shim,
      '@echo off\r\nsetlocal\r\nset ELECTRON_RUN_AS_NODE=1\r\n"C:\\100%% code\\Code.exe" "C:\\x y\\cli.js" %*\r\n',
    );
  });
});
