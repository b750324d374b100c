import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WORKER_LIMITS } from '../../runtime/contract/limits.ts';
import { RemoteLogs } from '../../runtime/platform/drivers/remoteLogs.ts';

test('a node that never reaches the end of a log is read up to the size limit of a log, and continues from there', async () => {
  const part = Buffer.alloc(1_000_000, '.');
  const since = new Date().toISOString();
  const logs: RemoteLogs = new RemoteLogs((order) => {
    if (order.type === 'list-logs') {
      const { question } = order;
      setImmediate(() => logs.answered({ type: 'logs', question, logs: [{ worker: 'w1', written: 0 }] }));
    } else if (order.type === 'read-log') {
      const { question, from } = order;
      const bytes = part.toString('base64');
      setImmediate(() => logs.answered({ type: 'log', question, start: from, since, bytes }));
    }
    return true;
  });
  const [log] = await logs.of('ep1');
  const first = await log!.read(0);
  assert.ok(first.bytes.length >= WORKER_LIMITS.logBytes);
  assert.ok(first.bytes.length <= WORKER_LIMITS.logBytes + part.length);
  const next = await log!.read(first.bytes.length);
  assert.equal(next.start, first.bytes.length);
});
