import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { curlFor } from '../../runtime/cli/curl.ts';
import { curlCall } from '../../runtime/contract/curlCommand.ts';
import type { RemoteEndpoint } from '../../runtime/contract/deployment.ts';
import { readProject } from '../../runtime/source/readProject.ts';

const root = mkdtempSync(path.join(tmpdir(), 'toolkit-curl-'));
after(() => rmSync(root, { recursive: true, force: true }));

const endpoint: RemoteEndpoint = {
  id: 'abc',
  name: 'api',
  kind: 'load-balanced',
  url: 'http://127.0.0.1:8900',
  build: 1,
  live: false,
  run: null,
  hardware: 'cpu3c-1-2',
  routes: [],
  workers: { min: 0, max: 1, idle: 0, initializing: 0, running: 0, unhealthy: 0 },
  jobs: { inQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0 },
};

/** Checks the curl command of an endpoint with one route. */
async function check(route: string, parameters: string, expected: string) {
  const text = `from toolkit_sdk import Endpoint\napi = Endpoint(name="api", cpu="cpu3c-1-2")\n\n@api.${route}\ndef f(${parameters}):\n    return 1\n`;
  writeFileSync(path.join(root, 'api.py'), text);
  const line = curlFor(endpoint, await readProject({ root }), false);
  assert.equal(line.replace(' -H "Authorization: Bearer $PLATFORM_API_KEY"', ''), expected);
}

test('the curl command fills in path, query and body with the required parameters', async () => {
  const url = 'http://127.0.0.1:8900';
  await check('get("/health")', '', `curl -X GET ${url}/health`);
  await check('get("/items/{item}")', 'item: int, flag: bool = False', `curl -X GET ${url}/items/1`);
  await check('get("/items/{item}")', 'item: int = 5, flag: bool = False', `curl -X GET ${url}/items/1`);
  await check('get("/files/{file:path}")', 'file: str', `curl -X GET ${url}/files/Hello`);
  await check('get("/find")', 'text: str, top: int', `curl -X GET '${url}/find?text=Hello&top=1'`);
  await check(
    'put("/items/{item}")',
    'item: int, text: str',
    `curl -X PUT ${url}/items/1 -H "Content-Type: application/json" -d '{"text":"Hello"}'`,
  );
});

test('quotes characters that the shell interprets', () => {
  const call = { method: 'POST', url: 'http://a/{item}', key: null, isQueue: true };
  assert.deepEqual(curlCall({ ...call, values: { item: 'a/b', text: "it's $HOME" } }), [
    'curl -X POST http://a/a%2Fb',
    '-H "Content-Type: application/json"',
    `-d '{"input":{"text":"it'\\''s $HOME"}}'`,
  ]);
  assert.deepEqual(curlCall({ ...call, method: 'GET', values: {} }), ["curl -X GET 'http://a/{item}'"]);
});
