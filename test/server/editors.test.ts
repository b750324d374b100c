/** Other editors: real ones, unchanged, and clients with minimal capabilities. */
import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createProtocolConnection, IPCMessageReader, IPCMessageWriter } from 'vscode-languageserver/node';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const dist = path.join(import.meta.dirname, '../../dist');
const COMMAND = [process.execPath, path.join(dist, 'cli.js'), 'lsp'] as const;
const FILES = {
  'pyproject.toml': '[project]\nname = "shop"\n',
  'a.py': 'from toolkit_sdk import Endpoint\n\n\n@Endpoint(workers=(3, 1))\ndef run():\n    """Run it."""\n',
};
const run = promisify(execFile);
const REPAIRED = FILES['a.py'].replace('(3, 1)', '(1, 3)');

/** The block of docs/editors.md in a language that contains a text. */
function documented(language: 'lua' | 'elisp', content: string): string {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/editors.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const block = blocks.find(([, tag, text]) => tag === language && text!.includes(content));
  assert.ok(block, `a block in ${language} with ${content}`);
  return block[2]!;
}

describe('toolkit lsp', () => {
  it('serves a client that can only show diagnostics, and sends it none of its own messages', async () => {
    const root = writeProject(FILES);
    const client = await LanguageClient.start({
      folders: [root],
      command: [...COMMAND],
      capabilities: {},
      options: { endpointTree: false },
    });
    const uri = uriOf(root, 'a.py');
    await client.open(uri, FILES['a.py']);
    await client.settled();
    assert.deepEqual(
      client.diagnosticsOf(uri).map(({ code, range }) => [code, range.start]),
      [['invalid-workers', { line: 3, character: 18 }]],
    );
    assert.deepEqual(client.trees, []);
    const lenses = await client.request<{ command?: { command: string } }[]>('textDocument/codeLens', {
      textDocument: { uri },
    });
    for (const lens of lenses) {
      const resolved = await client.request<{ command: { command: string } }>('codeLens/resolve', lens);
      assert.equal(resolved.command.command, '', 'a lens without a command of the client is plain text');
    }
    assert.ok(lenses.length > 0);
    await client.stop();
  });

  it('ends with the editor that started it, even without notice', async () => {
    const client = await LanguageClient.start({ folders: [writeProject(FILES)], command: [...COMMAND] });
    const ended = once(client.process, 'exit');
    client.connection.dispose();
    client.process.stdin!.end();
    await ended;
  });

  it('explains on a terminal what it is for', async () => {
    const folder = makeFolder();
    const { stdout } = await run('script', ['-qec', `timeout -s INT 2 ${COMMAND.join(' ')}`, '/dev/null'], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    assert.match(stdout, /This command is started by an editor/);
  });
});

it('the server uses an IPC channel when it is forked with one', async () => {
  const root = writeProject(FILES);
  const child = fork(path.join(dist, 'server.js'), ['--node-ipc'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const connection = createProtocolConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  const published = new Promise((resolve) => {
    connection.onNotification('textDocument/publishDiagnostics', resolve);
  });
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: uriOf(root), name: 'shop' }],
    capabilities: {},
  });
  await connection.sendNotification('initialized', {});
  assert.equal(((await published) as { uri: string }).uri, uriOf(root, 'a.py'));
  const ended = once(child, 'exit');
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  assert.deepEqual(await ended, [0, null]);
  connection.dispose();
});

it('Neovim, configured as in docs/editors.md, shows findings, hovers and repairs on saving', async () => {
  const root = writeProject(FILES);
  const script = path.join(root, '..', 'drive.lua');
  const command = `{ ${COMMAND.map((part) => `'${part}'`).join(', ')} }`;
  const setUp = documented('lua', 'vim.lsp.start_client').replace("{ 'toolkit', 'lsp' }", command);
  writeFileSync(
    script,
    `local function start()
  ${setUp}
end
start()
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
for _, d in ipairs(vim.diagnostic.get(0)) do print('found ' .. d.code .. ' ' .. d.lnum .. ':' .. d.col) end
local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', vim.lsp.util.make_position_params(), 20000)
for _, answer in pairs(hover) do print('hover ' .. answer.result.contents.value) end
${documented('lua', 'source.fixAll.toolkit')}
vim.cmd('write')
vim.cmd('edit b.py')
start()
print('servers ' .. #vim.lsp.get_active_clients())
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.wait(20000, function() return #vim.lsp.get_active_clients() == 0 end, 20)
vim.cmd('qa!')
`,
  );
  const commands = ['edit a.py', 'call cursor(4, 3)', `luafile ${script}`];
  const { stderr } = await run(
    'nvim',
    ['--headless', '-u', 'NONE', ...commands.flatMap((command) => ['-c', command])],
    { cwd: root, timeout: 60_000, env: { ...process.env, HOME: root } },
  );
  assert.match(stderr, /found invalid-workers 3:18/);
  assert.match(stderr, /hover .*`run`/);
  assert.match(stderr, /servers 1$/m);
  assert.equal(readFileSync(path.join(root, 'a.py'), 'utf8'), REPAIRED);
});

it('Emacs with Eglot, configured as in docs/editors.md, shows findings and repairs on saving', async () => {
  const root = writeProject(FILES);
  const script = path.join(root, '..', 'drive.el');
  writeFileSync(
    script,
    `(package-initialize)
(require 'eglot)
(add-to-list 'eglot-server-programs '(python-mode . (${COMMAND.map((part) => `"${part}"`).join(' ')})))
(find-file "a.py")
(apply #'eglot (eglot--guess-contact))
(let ((end (+ (float-time) 20)))
  (while (and (null (flymake-diagnostics)) (< (float-time) end))
    (accept-process-output nil 0.05)
    (flymake-start)))
(dolist (found (flymake-diagnostics)) (princ (format "found %s\\n" (flymake-diagnostic-text found))))
${documented('elisp', 'source.fixAll.toolkit')}
(set-buffer-modified-p t)
(save-buffer)
(eglot-shutdown (eglot-current-server))
`,
  );
  const { stdout } = await run('emacs', ['--batch', '-l', script], {
    cwd: root,
    timeout: 60_000,
    env: { ...process.env, HOME: root },
  });
  assert.match(stdout, /found .*invalid-workers.*minimum \(3\)/);
  assert.equal(readFileSync(path.join(root, 'a.py'), 'utf8'), REPAIRED);
});
