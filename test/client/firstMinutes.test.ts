/**
 * The first minutes of a user: the packed extension in an empty profile and an empty home, from the
 * walkthrough to a function that responds at a URL. No step requires a terminal, a key or a document.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { cleanEnvironment, cli, runCommand } from '../setup/toolkit.ts';
import { ensureVsix } from '../setup/vsix.ts';
import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const python = realpathSync(path.join(import.meta.dirname, '../../.venv/bin/python'));
const MINUTE = 60_000;

describe('the first minutes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-first-'));
  const [home, bin, work] = ['home', 'bin', 'work'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  const { TOOLKIT_HOME, TOOLKIT_PYTHON, VIRTUAL_ENV, ...others } = cleanEnvironment();
  const env = { ...others, HOME: home, PATH: `${bin}:/usr/bin:/bin` };
  const project = path.join(work, 'text-analysis');
  const toolkit = (...args: string[]) => runCommand(process.execPath, [cli, ...args], { cwd: project, env });
  let code: VSCode;
  let window: Workbench;

  before(async () => {
    for (const made of [home, bin, work]) mkdirSync(made);
    symlinkSync(python, path.join(bin, 'python3'));
    const profile = path.join(folder, 'profile');
    mkdirSync(profile);
    code = await VSCode.start({ home: profile, env, install: [ensureVsix()] });
    window = new Workbench(await code.open(null));
  });
  after(async () => {
    await code.stop();
    await runCommand(process.execPath, [cli, 'platform', 'stop'], { cwd: folder, env });
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach((t) => window.pictureOfFailure(t));

  it('the walkthrough leads to a new project, which is opened', async () => {
    await window.run('Toolkit: Get Started');
    await window.page.getByText('Get started with Serverless Endpoint Toolkit').first().waitFor();
    await window.picture('walkthrough', code);
    await window.page
      .locator('.gettingStartedContainer')
      .getByRole('button', { name: 'New Project' })
      .click();
    await window.choose('Tutorial: text analysis');
    await window.answer('Name of the project', 'text-analysis');
    await window.chooseFolder(`${work}/`, 'Create Here');
    await window.page.waitForURL(
      (url) => url.searchParams.get('folder')?.endsWith('/text-analysis') ?? false,
    );
    await window.page.waitForSelector('.monaco-workbench');
    assert.ok(existsSync(path.join(project, 'pyproject.toml')));
    // VS Code opens the walkthrough again in the new window, late, over the editor that is active by then.
    await window.page.getByRole('tab', { name: /^Welcome/ }).waitFor();
  });

  it('shows the endpoints that the project declares', async () => {
    await window.showEndpoints();
    await window.entry(/^text-api, cpu3c-1-2/).waitFor();
    await window.entry(/^sentiment-api, GPU ANY/).waitFor();
  });

  it('offers an environment with toolkit_sdk', async () => {
    const missing = window.message(/toolkit_sdk is not installed/);
    await missing.getByRole('button', { name: 'Select Python' }).click();
    await window.choose('Create .venv…');
    await window.message(/toolkit_sdk .* is installed for \.venv/).waitFor({ timeout: 2 * MINUTE });
    assert.ok(existsSync(path.join(project, '.venv/bin/python')));
  });

  it('Run on a lens starts the dev server after confirmation, and the function responds', async () => {
    await window.openFile('text_api.py');
    await window.goTo(1);
    await window.lens('Run').first().waitFor();
    await window.picture('lenses');
    // The message disappears after some seconds.
    const stopped = window.webview.getByText('The dev server is stopped.');
    // The lenses of /health, /info and /analyze.
    await window.clickLens(window.lens('Run').nth(2), stopped);
    await window.webview.getByRole('button', { name: 'Start Dev Server' }).waitFor();
    await window
      .message(/Start the dev server of text-analysis\?/)
      .getByRole('button', { name: 'Start', exact: true })
      .click();
    const send = window.webview.getByRole('button', { name: /^Send/ });
    await send.waitFor({ timeout: 3 * MINUTE });
    await send.click();
    await window.webview
      .getByText('200', { exact: false })
      .first()
      .waitFor({ timeout: 3 * MINUTE });
    await window.webview
      .getByText(/word_count/)
      .first()
      .waitFor();
    await window.picture('run', code);
  });

  it('Deploy shows a plan and its progress, and ends with the URLs', async () => {
    await window.run('Toolkit: Deploy');
    await window.page.getByText('Deploy: create 2').waitFor({ timeout: 3 * MINUTE });
    await window.picture('plan', code);
    await window.page.keyboard.press('Enter');
    const done = window.message('Deployed text-analysis/production, build 1.');
    await done.waitFor({ timeout: 2 * MINUTE });
    await done.getByRole('button', { name: 'Show URLs' }).click();
    await window.page.getByText('URLs of text-analysis/production').waitFor();
    await window.picture('addresses');
    await window.page.keyboard.press('Escape');
    await window.entry(/^text-api, cpu3c-1-2 · build 1/).waitFor();
    await window.picture('deployed');
  });

  it('the URL responds', async () => {
    const { endpoints } = (await toolkit('status', '--json')).json<StatusDocument>();
    const api = endpoints.find(({ name }) => name === 'text-api')!;
    const key = (await toolkit('platform', 'key')).stdout.trim();
    const answer = await fetch(`${api.url}/analyze`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"text": "Hello there. You!"}',
    });
    const { statistics } = (await answer.json()) as { statistics: Record<string, number> };
    assert.equal(statistics['word_count'], 3);
  });

  it('a mistake is marked while typing, and its fix repairs it', async () => {
    const file = path.join(project, 'text_api.py');
    const before = readFileSync(file, 'utf8');
    await window.run('View: Close All Editors');
    await window.replaceText('text_api.py', before.replace('cpu3c-1-2', 'cpu3c-1-2gb'));
    await window.goTo(7, 'api = Endpoint(name="text-api", cpu="cp'.length);
    await window.page.locator('.squiggly-error').first().waitFor();
    await window.picture('mistake', code);
    await window.page.locator('.lightBulbWidget').waitFor();
    await window.page.keyboard.press('Control+.');
    await window.page
      .locator('.action-widget')
      .getByText(/cpu3c-1-2/)
      .first()
      .click();
    await window.page.locator('.squiggly-error').waitFor({ state: 'detached' });
    await window.page.keyboard.press('Control+S');
    await until(() => readFileSync(file, 'utf8') === before);
  });

  it('the terminal has the command toolkit', async () => {
    await window.run('Toolkit: Open Terminal with toolkit');
    await window.page.locator('.terminal.xterm.focus').first().waitFor();
    await window.page.keyboard.type('toolkit list > listed.txt\n');
    await until(() => existsSync(path.join(project, 'listed.txt')));
    await until(() => readFileSync(path.join(project, 'listed.txt'), 'utf8').includes('sentiment-api'));
    await window.picture('terminal');
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The condition was not met within 60 s.');
}
