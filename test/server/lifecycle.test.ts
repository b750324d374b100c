/**
 * The start and end of a server, requests of a client at the wrong time, and requests that it leaves
 * unanswered.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { createProtocolConnection, ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const SERVER = path.join(import.meta.dirname, '../../dist/server.js');
const WRONG = 'from toolkit_sdk import Endpoint\n\n@Endpoint(workers=(3, 1))\ndef run():\n    """Run."""\n';
const textDocument = (uri: string) => ({ uri, languageId: 'python', version: 1, text: WRONG });
const position = { line: 3, character: 5 };

/** The server without a well-behaved client; ended by the test. */
function bareServer() {
  const process_ = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(process_.stdout, process_.stdin);
  const published: { uri: string; diagnostics: { code: string }[] }[] = [];
  connection.onNotification('textDocument/publishDiagnostics', (params) => void published.push(params));
  connection.listen();
  const refusal = (method: string, params: object) =>
    connection.sendRequest(method, params).then(
      () => null,
      (error: unknown) => (error instanceof ResponseError ? error.code : error),
    );
  return { process: process_, connection, published, refusal };
}

const initialization = (folder: string) => ({
  processId: null,
  rootUri: null,
  workspaceFolders: [{ uri: uriOf(folder), name: 'x' }],
  capabilities: {},
});

it('refuses messages before initialize and after shutdown, without effect', async () => {
  const root = writeProject({ 'a.py': WRONG });
  const uri = uriOf(root, 'a.py');
  const { process: server, connection, published, refusal } = bareServer();
  const ask = async () => {
    await connection.sendNotification('textDocument/didOpen', { textDocument: textDocument(uri) });
    await connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    return refusal('textDocument/hover', { textDocument: { uri }, position });
  };
  assert.equal(await ask(), ErrorCodes.ServerNotInitialized);
  await connection.sendRequest('initialize', initialization(root));
  await connection.sendNotification('initialized', {});
  await connection.sendRequest('toolkit/statistics');
  assert.deepEqual(
    published.map(({ diagnostics }) => diagnostics.map(({ code }) => code)),
    [['invalid-workers']],
  );
  await connection.sendRequest('shutdown');
  const count = published.length;
  assert.equal(await ask(), ErrorCodes.InvalidRequest);
  assert.equal(published.length, count);
  const ended = once(server, 'exit');
  await connection.sendNotification('exit');
  assert.deepEqual(await ended, [0, null]);
  connection.dispose();
});

it('a failure of the server is reported once and costs one response, also for a client that never responds', async () => {
  const root = writeProject({ 'a.py': WRONG });
  const client = await LanguageClient.start({ folders: [root], capabilities: {} });
  const uri = uriOf(root, 'a.py');
  await client.open(uri, WRONG);
  for (let time = 0; time < 2; time += 1) {
    // No editor sends this. It represents any unforeseen failure.
    assert.equal(await client.request('textDocument/hover', { textDocument: { uri }, position: null }), null);
  }
  assert.ok(await client.request('textDocument/hover', { textDocument: { uri }, position }));
  const messages = client.messages.splice(0);
  assert.equal(messages.length, 2, messages.join('\n'));
  assert.match(messages[0]!, /a\.py: TypeError/);
  assert.match(messages[1]!, /^The toolkit failed on .*a\.py and continues without it\./);
  await client.stop();
});

it('serves a client that never responds', async () => {
  const root = writeProject({ 'a.py': WRONG });
  const { process: server, connection, published } = bareServer();
  for (const request of ['client/registerCapability', 'window/workDoneProgress/create']) {
    connection.onRequest(request, () => new Promise(() => {}));
  }
  await connection.sendRequest('initialize', {
    ...initialization(root),
    capabilities: {
      window: { workDoneProgress: true },
      workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
    },
  });
  await connection.sendNotification('initialized', {});
  await connection.sendRequest('toolkit/statistics');
  assert.equal(published.length, 1);
  const ended = once(server, 'exit');
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  assert.deepEqual(await ended, [0, null]);
  connection.dispose();
});

it('the server ends when its client is killed', async () => {
  const script = `
    const server = require('node:child_process').spawn(process.execPath, [${JSON.stringify(SERVER)}, '--stdio'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize',
      params: { processId: process.pid, rootUri: null, workspaceFolders: null, capabilities: {} } });
    server.stdin.write('Content-Length: ' + text.length + '\\r\\n\\r\\n' + text, () => console.log(server.pid));
    setInterval(() => {}, 1000);`;
  const client = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [pid] = (await once(client.stdout, 'data')) as [Buffer];
  const entry = `/proc/${pid.toString().trim()}`;
  assert.ok(existsSync(entry), 'the server runs');
  client.kill('SIGKILL');
  while (existsSync(entry)) await new Promise((resolve) => setTimeout(resolve, 50));
});

it('shows the progress of a long first reading to clients that can show it', async () => {
  const body = 'def f(x):\n    return [y * 2 for y in range(x) if y % 3]\n\n\n'.repeat(2500);
  const root = writeProject(
    Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`m${at}.py`, `${WRONG.replace('run', `run${at}`)}\n\n${body}`]),
    ),
  );
  const client = await LanguageClient.start({ folders: [root], options: { endpointTree: false } });
  const kinds = client.progress.map(({ kind }) => kind);
  assert.deepEqual([kinds[0], kinds.at(-1)], ['begin', 'end']);
  assert.ok(
    kinds.slice(1, -1).every((kind) => kind === 'report'),
    kinds.join(),
  );
  for (const { message } of client.progress.slice(0, -1)) assert.match(message!, /^\d+ Python files$/);
  await client.stop();
  const plain = await LanguageClient.start({
    folders: [root],
    options: { endpointTree: false },
    capabilities: {},
  });
  assert.deepEqual(plain.progress, []);
  await plain.stop();
});
