/** However `toolkit dev` ends, nothing is left: no live endpoint, no process, no record. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import type { PlatformRecord } from '../../runtime/contract/stateManager.ts';
import { DevSession } from '../dev/devSession.ts';
import { workbench } from '../setup/toolkit.ts';

const ROUNDS = 20;
/** Leftovers of a killed dev are gone after this time, milliseconds. */
const AFTER_KILL = 15_000;

const FILES = {
  'pyproject.toml': '',
  'queue.py':
    'import time\n\nfrom toolkit_sdk import Endpoint\n\n\n@Endpoint(name="jobs", cpu="cpu3c-1-2", workers=1)\ndef jobs(seconds: float = 0):\n    time.sleep(seconds)\n    return 1\n',
  'web.py':
    'from toolkit_sdk import Endpoint\n\napi = Endpoint(name="web", cpu="cpu3c-1-2", workers=1)\n\n\n@api.get("/hello")\ndef hello():\n    return "hello"\n',
};

describe('start and end of dev, again and again', () => {
  const bench = workbench({ after });
  const project = bench.project('app', FILES);

  async function liveEndpoints(): Promise<string[]> {
    const { endpoints } = (await bench.toolkit(project, ['status', '--json'])).json<StatusDocument>();
    return endpoints.filter(({ live }) => live).map(({ name }) => name);
  }

  /**
   * Processes that were started with this home, except the platform: dev itself, and workers with their
   * children.
   */
  function processes(): string[] {
    const record = path.join(bench.home, 'platform.json');
    const { pid: platform } = JSON.parse(readFileSync(record, 'utf8')) as PlatformRecord;
    return readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid) || Number(pid) === platform) return false;
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(bench.home);
      } catch {
        // It has ended since.
        return false;
      }
    });
  }

  const records = () => globSync(path.join(bench.home, 'dev/*'));

  async function begin(args: readonly string[] = []): Promise<DevSession> {
    const dev = await DevSession.start(project, bench.home, args);
    assert.equal(await dev.run('/queue', {}), 1);
    assert.equal((await dev.request('GET', '/web/hello')).text, '"hello"');
    return dev;
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    it(`${ROUNDS} × ${signal}: 0 live endpoints and 0 processes are left`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const dev = await begin(round % 4 === 3 ? ['--auto-provision'] : []);
        // In every second round a job or request is in progress.
        if (round % 2 === 1) dev.request('POST', '/queue/run', { input: { seconds: 2 } }).catch(() => {});
        await sleep(randomInt(200));
        assert.equal(await dev.stop(signal), 0, dev.stderr);
        assert.deepEqual([await liveEndpoints(), processes(), records()], [[], [], []], `round ${round}`);
      }
    });

  it(`${ROUNDS} × kill -9: 0 live endpoints and 0 processes are left after 15 s`, async (t) => {
    let longest = 0;
    for (let round = 0; round < ROUNDS; round += 4) {
      const devs = await Promise.all([0, 1, 2, 3].map(() => begin()));
      await sleep(randomInt(500));
      await Promise.all(devs.map((dev) => dev.stop('SIGKILL')));
      const killedAt = performance.now();
      while ((await liveEndpoints()).length + processes().length > 0) {
        assert.ok(
          performance.now() - killedAt < AFTER_KILL,
          `round ${round}: ${await liveEndpoints()} ${processes()}`,
        );
        await sleep(100);
      }
      longest = Math.max(longest, performance.now() - killedAt);
    }
    t.diagnostic(`the last of them was gone after at most ${(longest / 1_000).toFixed(1)} s`);
    const dev = await begin();
    await dev.stop();
    assert.deepEqual(records(), [], 'records of killed devs are removed by the next one');
  });
});
