/** Streams and WebSockets of a replaced worker continue for a minute, then they are closed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GATEWAY_LIMITS } from '../../runtime/contract/limits.ts';
import { loadBalancedSpec, TestHome, type TestPlatform, until } from '../platform/harness.ts';

describe('a worker that is replaced', { concurrency: 2 }, () => {
  const home = new TestHome();
  let platform: TestPlatform;
  let url = '';
  const version = (text: string) => ({
    endpoints: [
      loadBalancedSpec('web', { env: { VERSION: text }, fingerprint: { code: text, dependencies: 'd' } }),
    ],
  });

  before(async () => {
    platform = await home.start();
    await platform.deploy(version('old'));
    url = (await platform.endpoint('web')).url;
  });
  after(() => home.clean());

  it('serves its WebSocket for a minute, then closes it with 1001', async () => {
    const socket = await platform.webSocket(`${url}/ws`);
    const echo = async (text: string) => {
      const answered = once(socket, 'message') as Promise<[{ data: string }]>;
      socket.send(text);
      return (await answered)[0].data;
    };
    assert.equal(await echo('before'), 'before');
    assert.equal((await platform.deploy(version('new'))).state, 'succeeded');
    const deployedAt = performance.now();
    const closed = once(socket, 'close') as Promise<[{ code: number }]>;
    await sleep(GATEWAY_LIMITS.drain - 10_000);
    assert.equal(await echo('still there'), 'still there');
    assert.equal((await closed)[0].code, 1001);
    assert.ok(performance.now() - deployedAt > GATEWAY_LIMITS.drain - 1_000);
    await until('the old worker is gone', async () => {
      const { idle, running } = (await platform.endpoint('web')).workers;
      return idle + running <= 1;
    });
  });
});
