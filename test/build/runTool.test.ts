/** Programs that a build runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool } from '../../runtime/build/runTool.ts';

const { signal } = new AbortController();

test('gives the output and the exit code, null for a signal', async () => {
  const sh = (script: string) => runTool('/bin/sh', ['-c', script], { env: {}, signal });
  assert.deepEqual(await sh('echo out; echo err >&2'), { code: 0, stdout: 'out\n', stderr: 'err\n' });
  assert.equal((await sh('exit 3')).code, 3);
  assert.equal((await sh('kill -9 $$')).code, null);
});

test('ends with the reason of the interrupt', async () => {
  const interrupted = new AbortController();
  const running = runTool('/bin/sleep', ['60'], { env: {}, signal: interrupted.signal });
  const reason = new Error('enough');
  setImmediate(() => interrupted.abort(reason));
  await assert.rejects(running, (error) => error === reason);
});

test('fails with the error of the system if it cannot be started', async () => {
  await assert.rejects(runTool('/no/such/program', [], { env: {}, signal }), { code: 'ENOENT' });
});
