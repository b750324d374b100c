import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpointSpec, TestHome, type TestPlatform } from './harness.ts';
import { codePart, SDK } from './sdkCode.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start({ workerPackage: SDK });
});
after(() => home.clean());

const WORKING = `
from toolkit_sdk import Endpoint

@Endpoint(name="one", cpu="cpu5c-1-2")
def work(text: str, times: int = 2):
    """Repeats a text."""
    print("repeating", text)
    return {"text": text * times}
`;

test("the toolkit's own worker loads a deployed function and answers", async () => {
  const deployed = await platform.deploy({ code: await codePart(WORKING), endpoints: [endpointSpec('one')] });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  const { url, id } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { text: 'ab' } });
  assert.deepEqual(body['output'], { text: 'abab' }, JSON.stringify(body));

  const query =
    'query($id: ID!) { logs(endpoint: $id) { lines { time level worker request message } cursor } }';
  const { logs } = await platform.graphql<{ logs: { lines: Record<string, string>[] } }>(query, { id });
  const line = logs.lines.find(({ message }) => message === 'repeating ab');
  assert.equal(line?.['request'], body['id']);
});

test('a function that cannot be loaded fails the deploy with the reason and the last lines', async () => {
  const broken = `import nothing_of_this_name\n${WORKING}`;
  const failed = await platform.deploy({
    code: await codePart(broken),
    endpoints: [endpointSpec('one', { fingerprint: { code: 'e'.repeat(64), dependencies: 'b'.repeat(64) } })],
  });
  assert.equal(failed.error?.code, 'ROLLOUT_FAILED', JSON.stringify(failed));
  assert.match(JSON.stringify(failed.steps), /nothing_of_this_name/);
  const { url } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { text: 'a' } });
  assert.deepEqual(body['output'], { text: 'aa' });
});
