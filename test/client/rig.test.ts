/** What the tests of the extension in a real VS Code rely on. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const MANIFEST = {
  name: 'probe',
  publisher: 'toolkit',
  version: '0.0.1',
  engines: { vscode: '^1.100.0' },
  main: './extension.js',
  activationEvents: [],
  contributes: { commands: [{ command: 'probe.open', title: 'Probe: Open' }] },
};

const EXTENSION = `
const vscode = require('vscode');
exports.activate = (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('probe.open', () => {
    const panel = vscode.window.createWebviewPanel('probe', 'Probe', 1, { enableScripts: true });
    panel.webview.html = '<button>Send</button><p></p><script>document.querySelector("button").onclick = () => document.querySelector("p").textContent = "sent"</script>';
    return 'opened';
  }));
};`;

const SUITE = `
const vscode = require('vscode');
exports.run = async () => console.log('answer', await vscode.commands.executeCommand('probe.open'), vscode.version);`;

describe('a real VS Code', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-vscode-'));
  const extension = path.join(folder, 'probe');
  const project = path.join(folder, 'project');
  let code: VSCode;

  before(async () => {
    for (const made of [extension, project]) mkdirSync(made);
    writeFileSync(path.join(extension, 'package.json'), JSON.stringify(MANIFEST));
    writeFileSync(path.join(extension, 'extension.js'), EXTENSION);
    writeFileSync(path.join(extension, 'suite.js'), SUITE);
    code = await VSCode.start({ home: folder, env: process.env });
  });
  after(async () => {
    await code.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs a suite in the extension host and reports its output', async () => {
    const suite = path.join(extension, 'suite.js');
    const printed = await code.runSuite(project, { development: extension, suite });
    assert.ok(
      printed.some((line) => line.startsWith('answer opened 1.')),
      printed.join('\n'),
    );
  });

  it('lets a test click buttons in a webview that a command has opened', async () => {
    const window = new Workbench(await code.open(project, { development: extension }));
    await window.run('Probe: Open');
    await window.webview.getByRole('button', { name: 'Send' }).click();
    await window.webview.getByText('sent').waitFor();
    await window.close();
  });
});
