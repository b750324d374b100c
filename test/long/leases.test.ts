/**
 * Jobs that take longer than a lease, in functions that block and in a worker of another library: nothing
 * runs twice.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TerminalJobBody } from '../../runtime/contract/job.ts';
import { WORKER_LIMITS } from '../../runtime/contract/limits.ts';
import { FOREIGN } from '../faults/foreignWorker.ts';
import { workbench } from '../setup/toolkit.ts';

const BLOCKS = `
from toolkit_sdk import Endpoint

@Endpoint(cpu="cpu3c-1-2", workers=(0, 1))
def blocks(seconds: int):
    import ctypes

    # Holds the interpreter's lock: no other thread of the process runs.
    ctypes.PyDLL(None).sleep(seconds)
    return "done"
`;

describe('jobs longer than a lease', { concurrency: 2 }, () => {
  const bench = workbench({ after });
  const seconds = (WORKER_LIMITS.lease / 1000) * 1.5;
  let project = '';

  before(async () => {
    project = bench.project('leases', { ...FOREIGN, 'blocks.py': BLOCKS });
    const deployed = await bench.toolkit(project, ['deploy']);
    assert.equal(deployed.code, 0, deployed.stdout + deployed.stderr);
  });

  for (const endpoint of ['blocks', 'foreign']) {
    it(`${endpoint} runs once`, async () => {
      const input = JSON.stringify({ seconds });
      const ran = await bench.toolkit(project, [
        'call',
        endpoint,
        '--input',
        input,
        '--timeout',
        '120',
        '--json',
      ]);
      const body = ran.json<TerminalJobBody>();
      assert.equal(body.status, 'COMPLETED', ran.stdout);
      assert.equal(body.retries, undefined);
      assert.ok(body.executionTime > WORKER_LIMITS.lease);
    });
  }
});
