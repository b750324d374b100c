/** Problems with the key or the platform are reported before anything is built. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Ran, workbench } from '../setup/toolkit.ts';

const worker =
  'from toolkit_sdk import Endpoint\n\n@Endpoint(name="one", cpu="cpu3c-1-2")\ndef one(x: int):\n    """One."""\n';

async function deployTo(t: TestContext, answer: RequestListener): Promise<{ ran: Ran; built: boolean }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bench = workbench(t);
  const project = bench.project('one', { 'pyproject.toml': '', 'one.py': worker });
  const env = { PLATFORM_API_URL: url, PLATFORM_API_KEY: 'a-key' };
  const ran = await bench.toolkit(project, ['deploy', '--json'], { env });
  return { ran, built: existsSync(path.join(project, '.toolkit')) };
}

interface ErrorDocument {
  error: { code: string; message: string; hint: string };
}

describe('before a deploy builds', () => {
  it('reports a key that the platform rejects, and where it came from', async (t) => {
    const { ran, built } = await deployTo(t, (_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}');
    });
    const { error } = ran.json<ErrorDocument>();
    assert.equal(ran.code, 1);
    assert.equal(error.code, 'KEY_REJECTED');
    assert.match(error.message, /environment variable PLATFORM_API_KEY/);
    assert.equal(error.hint, 'Check PLATFORM_API_KEY.');
    assert.equal(built, false);
  });

  it('gives up after 2 s on a platform that does not respond', async (t) => {
    const { ran, built } = await deployTo(t, () => {});
    assert.equal(ran.code, 1);
    assert.equal(ran.json<ErrorDocument>().error.code, 'PLATFORM_UNREACHABLE');
    assert.match(ran.json<ErrorDocument>().error.message, /did not respond within 2 s/);
    assert.equal(built, false);
  });

  it('reports an address that does not belong to a platform', async (t) => {
    const { ran, built } = await deployTo(t, (_request, response) => response.end('<html>'));
    assert.equal(ran.json<ErrorDocument>().error.code, 'PLATFORM_FAILED');
    assert.match(ran.json<ErrorDocument>().error.hint, /PLATFORM_API_URL/);
    assert.equal(built, false);
  });

  it('reports where to put a missing key for another platform', async (t) => {
    const bench = workbench(t);
    const project = bench.project('one', { 'pyproject.toml': '', 'one.py': worker });
    const ran = await bench.toolkit(project, ['deploy', '--json'], {
      env: { PLATFORM_API_URL: 'http://127.0.0.1:9' },
    });
    assert.equal(ran.json<ErrorDocument>().error.code, 'KEY_MISSING');
    assert.match(ran.json<ErrorDocument>().error.hint, /PLATFORM_API_KEY/);
  });
});
