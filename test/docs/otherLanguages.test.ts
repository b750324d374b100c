/** The examples of docs/commands-in-other-languages.md run as they are printed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TerminalJobBody } from '../../runtime/contract/job.ts';
import { WORKER_LIMITS } from '../../runtime/contract/limits.ts';
import { workbench } from '../setup/toolkit.ts';

const PAGE = readFileSync(
  path.join(import.meta.dirname, '../../docs/commands-in-other-languages.md'),
  'utf8',
);

/** The example that contains a text. */
function example(contained: string): string {
  const found = [...PAGE.matchAll(/^```\w+\n(.*?)^```$/gms)].find(([, text]) => text!.includes(contained));
  assert.ok(found, `no example with ${contained}`);
  return found[1]!;
}

describe('the examples of endpoints in other languages', () => {
  const bench = workbench({ after });
  const slow = example('// upper.js').replace(
    'const body =',
    `await new Promise((resolve) => setTimeout(resolve, ${WORKER_LIMITS.lease + 3_000}));\n    const body =`,
  );
  const project = bench.project('thumbs', {
    'pyproject.toml': `${example('[[tool.toolkit.endpoints]]')}
[[tool.toolkit.endpoints]]
name = "slow"
command = ["node", "slow.js"]
cpu = "cpu3c-1-2"
`,
    'upper.js': example('// upper.js'),
    'web.js': example('// web.js'),
    'slow.js': slow,
  });
  const call = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await bench.toolkit(project, ['call', ...args, '--json']);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };

  before(async () => {
    const { code, stderr } = await bench.toolkit(project, ['deploy', '--yes']);
    assert.equal(code, 0, stderr);
  });

  it('serve requests and jobs', async () => {
    const [route, job] = [
      await call('web', '--route', 'GET /thumbs?size=1'),
      await call('upper', '--input', '{"text": "a"}'),
    ];
    assert.deepEqual(route, { path: '/thumbs?size=1' });
    assert.equal((job as TerminalJobBody).output, 'A');
  });

  it('keep a job that takes longer than its lease', async () => {
    const { status, output, retries } = (await call('slow', '--input', '{"text": "a"}')) as TerminalJobBody;
    assert.deepEqual({ status, output, retries }, { status: 'COMPLETED', output: 'A', retries: undefined });
  });
});
