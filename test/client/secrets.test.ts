/** A key that a user enters in VS Code is in its secret storage and nowhere else. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { PlatformDocument } from '../../runtime/contract/cliDocuments.ts';
import { cleanEnvironment, workbench } from '../setup/toolkit.ts';
import { ensureVsix } from '../setup/vsix.ts';
import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const ENDPOINT = `import os

from toolkit_sdk import Endpoint


@Endpoint(name="one", cpu="cpu3c-1-2", workers=(0, 1))
def one(x: int):
    """Run."""
    return dict(os.environ)
`;

describe('a key of another platform', () => {
  // The platform has a separate home, which the editor's home does not know.
  const theirs = workbench({ after });
  const ours = workbench({ after });
  const env = { ...cleanEnvironment(), HOME: path.join(ours.folder, 'user'), TOOLKIT_HOME: ours.home };
  const project = ours.project('shop', {
    'pyproject.toml': '[tool.toolkit]\napp = "shop"\n',
    'one.py': ENDPOINT,
  });
  const profile = path.join(ours.folder, 'profile');
  let key: string;
  let url: string;
  let code: VSCode;
  let window: Workbench;

  before(async () => {
    for (const made of [profile, env.HOME]) mkdirSync(made);
    await theirs.toolkit(theirs.folder, ['platform', 'start']);
    url = (await theirs.toolkit(theirs.folder, ['platform', 'status', '--json'])).json<PlatformDocument>()
      .url!;
    key = (await theirs.toolkit(theirs.folder, ['platform', 'key'])).stdout.trim();
    code = await VSCode.start({ home: profile, env, install: [ensureVsix()] });
    window = new Workbench(await code.open(project));
    await window.showEndpoints();
    await window.entry(/^one, cpu3c-1-2/).waitFor();
    await window.message(/toolkit_sdk is not installed/).waitFor();
    await window.awaitMessages();
  });
  after(() => code.stop());
  afterEach((t) => window.pictureOfFailure(t));

  it('is not kept when the platform rejects it', async () => {
    await window.run('Toolkit: Sign In to a Platform');
    await window.answer('Address of the platform', url.replace('//', '//me:secret@'));
    await window.answer('Write the address as https://host, without a user name.', url);
    await window.answer('Key for', 'wrong-key-that-nobody-has');
    await window.message(/rejected the key/).waitFor();
    await window.run('Toolkit: Sign Out');
    await window.message('You are not signed in to any platform.').waitFor();
  });

  it('is used for deploys to the platform', async () => {
    await window.run('Toolkit: Sign In to a Platform');
    await window.answer('Address of the platform', url);
    await window.answer('Key for', key);
    await window.message(`Signed in to ${url}`).waitFor();
    await window.run('Toolkit: Deploy');
    await window.page.getByText('Deploy: create 1').waitFor();
    await window.page.keyboard.press('Enter');
    await window.message('Deployed shop/production, build 1.').waitFor();
  });

  it('is also used by the dev server', async () => {
    await window.run('Toolkit: Start Dev Server');
    await window.page
      .locator('.statusbar')
      .getByText(/dev :\d+/)
      .waitFor();
  });

  it('is in no file of the profile, the project and the home, in no command line or environment, and in no webview', async () => {
    await window.openFile('one.py');
    const send = window.webview.getByRole('button', { name: /Send/ });
    await window.clickLens(window.lens('Run').first(), send);
    const pages = await Promise.all(window.page.frames().map((frame) => frame.content()));
    assert.deepEqual(
      pages.filter((text) => text.includes(key)),
      [],
    );
    assert.deepEqual(filesWith(ours.folder, key), []);
    assert.deepEqual(processesWith(key), []);
    const texts = await window.page.evaluate('JSON.stringify({ ...sessionStorage })');
    assert.ok(!String(texts).includes(key));
  });

  it('is forgotten after Sign Out', async () => {
    await window.run('Toolkit: Stop Dev Server');
    await window.run('Toolkit: Sign Out');
    await window.message(`Signed out of ${url}. Its key was deleted.`).waitFor();
  });
});

/** Files below a folder that contain a text. Links are not followed. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size < 50_000_000 && readFileSync(file).includes(text));
}

/** Processes, other than the platform's own, with a text in their arguments or environment. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const [command, environment] = ['cmdline', 'environ'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'utf8'),
      );
      return command!.includes(text) || environment!.includes(text) ? [command!.replaceAll('\0', ' ')] : [];
    } catch {
      // It has ended since.
      return [];
    }
  });
}
