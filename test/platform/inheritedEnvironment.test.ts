import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endpointSpec, TestHome } from './harness.ts';
import { environmentOf, parentOf } from './processes.ts';

const home = new TestHome();
after(() => home.clean());

test("workers use the platform user's network settings and library folders, and get nothing else from that environment", async () => {
  const inherited = {
    LD_LIBRARY_PATH: '/usr/local/nvidia/lib64',
    HTTPS_PROXY: 'http://proxy.test',
    NO_PROXY: 'intern.test',
    SSL_CERT_FILE: '/certificates.pem',
  };
  const installers = { PIP_INDEX_URL: 'https://index.test/simple', UV_INDEX: 'https://more.test/simple' };
  const env = { ...inherited, ...installers, MY_TOKEN: 'a secret of the user' };
  const platform = await home.start({ env });
  await platform.deploy({ endpoints: [endpointSpec('one')] });
  const { url } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  const pid = Number(body['output']!['pid']);
  const command = environmentOf(pid);
  const own = 'intern.test,localhost,127.0.0.1,::1';
  for (const [name, value] of Object.entries({ ...inherited, NO_PROXY: own, no_proxy: own })) {
    assert.equal(command[name], value, name);
  }
  // The preparation of the node installs packages with these settings; the endpoint's own code does not get
  // them.
  const supervisor = environmentOf(parentOf(pid)!);
  for (const [name, value] of Object.entries(installers)) {
    assert.equal(supervisor[name], value, name);
    assert.equal(command[name], undefined, name);
  }
  for (const environment of [command, supervisor]) assert.equal(environment['MY_TOKEN'], undefined);
});
