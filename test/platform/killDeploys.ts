/**
 * Rounds of `kill -9` at any moment of a deploy. Afterwards one build serves completely, either the old or
 * the new one.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpointSpec, TestHome, type TestPlatform } from './harness.ts';

export interface DeployTally {
  kills: number;
  /** Rounds after which the old build served, and rounds after which the new one did. */
  former: number;
  switched: number;
}

/** @throws AssertionError when a build serves only in part, or the next deploy fails. */
export async function killDeploys(rounds: number): Promise<DeployTally> {
  const home = new TestHome();
  const tally: DeployTally = { kills: rounds, former: 0, switched: 0 };
  try {
    let platform = await home.start();
    let serving = 'v0';
    await platform.deploy({ endpoints: specs(serving) });
    for (let round = 1; round <= rounds; round += 1) {
      const next = `v${round}`;
      // Disconnected by the end of the platform, or ended before it.
      const deploying = platform.deploy({ endpoints: specs(next) }).catch(() => null);
      await sleep(randomInt(600));
      await platform.kill();
      await deploying;
      platform = await home.start();
      const versions = await Promise.all(['a', 'b'].map((name) => versionOf(platform, name)));
      assert.equal(versions[0], versions[1], 'both endpoints are of one build');
      assert.ok(versions[0] === serving || versions[0] === next, `${versions[0]} of ${serving} and ${next}`);
      if (versions[0] === next) tally.switched += 1;
      else tally.former += 1;
      const { state, error } = await platform.deploy({ endpoints: specs(`${next}-again`) });
      assert.equal(state, 'succeeded', JSON.stringify(error));
      serving = `${next}-again`;
    }
    return tally;
  } finally {
    await home.clean();
  }
}

function specs(version: string) {
  return ['a', 'b'].map((name) => endpointSpec(name, { env: { VERSION: version } }));
}

async function versionOf(platform: TestPlatform, name: string): Promise<string> {
  const { url } = await platform.endpoint(name);
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  return String(body['output']?.['version']);
}
