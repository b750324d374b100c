import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { endpointSpec, TestHome } from './harness.ts';

const home = new TestHome();
after(() => home.clean());

test("workers reach the network as the platform's user does, and get nothing else of his environment", async () => {
  const network = {
    HTTPS_PROXY: 'http://proxy.test',
    NO_PROXY: 'intern.test',
    SSL_CERT_FILE: '/certificates.pem',
    PIP_INDEX_URL: 'https://index.test/simple',
    UV_INDEX: 'https://more.test/simple',
  };
  const platform = await home.start({ env: { ...network, MY_TOKEN: 'a secret of his' } });
  await platform.deploy({ endpoints: [endpointSpec('one')] });
  const { url } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  const environment = new Map(
    readFileSync(`/proc/${String(body['output']!['pid'])}/environ`, 'utf8')
      .split('\0')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
  const own = 'intern.test,localhost,127.0.0.1,::1';
  for (const [name, value] of Object.entries({ ...network, NO_PROXY: own, no_proxy: own })) {
    assert.equal(environment.get(name), value, name);
  }
  assert.equal(environment.has('MY_TOKEN'), false);
});
