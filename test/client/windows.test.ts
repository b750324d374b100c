/** What a window offers in each of its states: commands, welcome views, and running processes. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { cleanEnvironment, writeProject } from '../setup/toolkit.ts';
import { ensureVsix } from '../setup/vsix.ts';
import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const ENDPOINT = (name: string) => `from toolkit_sdk import Endpoint


@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, 1))
def ${name}(x: int):
    """Run."""
    return x
`;

/** Commands that need nothing but the extension. */
const ALWAYS = [
  'Get Started',
  'Open Terminal with toolkit',
  'Report Issue',
  'Restart Language Server',
  'Show Extension Log',
];
/** Commands that run something, in any folder. */
const TRUSTED = ['New Project', 'Sign In to a Platform', 'Sign Out'];
/** Commands for endpoints. */
const WITH_PROJECT = [
  'Build',
  'Copy URL',
  'Copy as curl',
  'Deploy',
  'Deploy to…',
  'Install toolkit_sdk',
  'Open API Explorer',
  'Open URL',
  'Refresh Endpoints',
  'Run',
  'Select Environment',
  'Select Python',
  'Show Project Actions',
  'Show Dev Log',
  'Show Logs',
  'Start Dev Server',
  'Undeploy',
];

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-windows-'));
const env = {
  ...cleanEnvironment(),
  HOME: path.join(folder, 'home'),
  TOOLKIT_HOME: path.join(folder, 'toolkit'),
  // No package index is reachable.
  PIP_INDEX_URL: 'http://127.0.0.1:1/simple',
  UV_DEFAULT_INDEX: 'http://127.0.0.1:1/simple',
};
const place = (name: string) => path.join(folder, name);
mkdirSync(place('home'));
mkdirSync(place('empty'));
writeProject(place('shop'), {
  'pyproject.toml': '[tool.toolkit]\napp = "shop"\n',
  'one.py': ENDPOINT('one'),
});
writeProject(place('blog'), {
  'pyproject.toml': '[tool.toolkit]\napp = "blog"\n',
  'two.py': ENDPOINT('two'),
});
writeProject(place('repository/services/foreign'), {
  'pyproject.toml': '[tool.toolkit]\napp = "foreign"\n',
  'one.py': ENDPOINT('one'),
  '.env': 'PLATFORM_API_URL=http://127.0.0.1:1\n',
});
writeProject(place('offline'), {
  'pyproject.toml': '[tool.toolkit]\napp = "offline"\n',
  'one.py': ENDPOINT('one').replace('workers', 'dependencies=["humanize"], workers'),
  '.env': 'PLATFORM_API_URL=http://127.0.0.1:59999\nPLATFORM_API_KEY=abc\n',
});
writeFileSync(
  place('both.code-workspace'),
  JSON.stringify({ folders: [{ path: place('shop') }, { path: place('blog') }] }),
);
after(() => rmSync(folder, { recursive: true, force: true }));

/** Command lines of these windows' processes that match. */
function processes(pattern: RegExp): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(
        `TOOLKIT_HOME=${env.TOOLKIT_HOME}`,
      );
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return isOurs && pattern.test(command) ? [command] : [];
    } catch {
      // It has ended since.
      return [];
    }
  });
}

const SERVER = /dist\/server\.js/;
const CORE = /dist\/cli\.js core/;

describe('a window with trust', () => {
  const windows = windowsOf('trusted');

  it('without a folder offers to open one or to create a project, and starts nothing', () =>
    windows.look(null, async (window) => {
      await window.welcome.getByText('Open a folder to see its endpoints').waitFor();
      for (const name of ['Open Folder', 'New Project', 'Get Started'])
        await window.welcome.getByRole('button', { name }).waitFor();
      await window.expectCommands([...ALWAYS, ...TRUSTED]);
      assert.deepEqual(processes(SERVER).concat(processes(CORE)), []);
    }));

  it('with a folder without endpoints explains how to add some, and starts nothing', () =>
    windows.look(place('empty'), async (window) => {
      await window.welcome.getByText('No endpoint was found in this folder').waitFor();
      await window.welcome.getByRole('button', { name: 'New Project' }).waitFor();
      await window.expectCommands([...ALWAYS, ...TRUSTED]);
      assert.deepEqual(processes(SERVER).concat(processes(CORE)), []);
    }));

  it('with a project offers every command', () =>
    windows.look(place('shop'), async (window) => {
      await window.entry(/^one, cpu3c-1-2/).waitFor();
      await window.expectCommands([...ALWAYS, ...TRUSTED, ...WITH_PROJECT, 'Filter Endpoints']);
    }));

  it('finds a project in a subfolder, and offers to sign in when its platform requires a key', () =>
    windows.look(place('repository'), async (window) => {
      await window.welcome.getByText('The platform of this project needs a key').waitFor();
      await window.welcome.getByRole('button', { name: 'Sign In' }).waitFor();
      await window.entry(/^one, cpu3c-1-2/).waitFor();
    }));

  it('without a network reports what is unreachable, with buttons for repairs', () =>
    windows.look(place('offline'), async (window) => {
      await window.entry(/^one, cpu3c-1-2/).waitFor();
      await window.run('Toolkit: Build');
      const noIndex = /(could not|cannot) be reached/;
      await window.message(noIndex).waitFor();
      writeFileSync(path.join(place('offline'), 'one.py'), ENDPOINT('one'));
      await window.press(noIndex, 'Try Again');
      await window.message(/Built offline/).waitFor();
      await window.awaitMessages();
      await window.run('Toolkit: Deploy');
      const noPlatform = /http:\/\/127\.0\.0\.1:59999 cannot be reached/;
      await window.message(noPlatform).getByRole('button', { name: 'Try Again' }).waitFor();
      await window.press(noPlatform, 'Open .env');
      await window.page.getByRole('tab', { name: /^\.env/ }).waitFor();
    }));
});

// On a separate server: after several other windows VS Code sometimes opens a workspace file without its
// folders.
describe('a window with two folders', () => {
  const windows = windowsOf('two');

  it('with two folders shows the projects of both, and asks which one a command is for', () =>
    windows.look(place('both.code-workspace'), async (window) => {
      await window.entry(/^one, cpu3c-1-2/).waitFor();
      await window.entry(/^two, cpu3c-1-2/).waitFor();
      for (const name of ['shop', 'blog']) await window.entry(new RegExp(`^${name}$`)).waitFor();
      await window.run('Toolkit: Build');
      await window.page.getByText('Which project?').waitFor();
      await window.choose('blog');
      await window.message(/Built blog/).waitFor();
      assert.ok(readdirSync(place('blog')).includes('.toolkit'));
      assert.ok(!readdirSync(place('shop')).includes('.toolkit'));
    }));

  it('can add and remove a folder while it is open', () =>
    windows.look(place('both.code-workspace'), async (window) => {
      await window.entry(/^two, cpu3c-1-2/).waitFor();
      const folders = (...names: string[]) =>
        writeFileSync(
          place('both.code-workspace'),
          JSON.stringify({ folders: names.map((name) => ({ path: place(name) })) }),
        );
      folders('shop');
      await window.entry(/^two, cpu3c-1-2/).waitFor({ state: 'detached' });
      folders('shop', 'blog');
      await window.entry(/^two, cpu3c-1-2/).waitFor();
    }));
});

describe('a window in Restricted Mode', () => {
  let code: VSCode;
  before(async () => {
    code = await VSCode.start({ home: place('untrusted'), env, install: [ensureVsix()], trust: false });
  });
  after(() => code.stop());

  it('shows endpoints and mistakes, and offers to trust the folder', async () => {
    writeFileSync(path.join(place('shop'), 'bad.py'), ENDPOINT('bad').replace('cpu3c-1-2', 'cpu3c'));
    const window = new Workbench(await code.open(place('shop')));
    await window.showEndpoints();
    await window.entry(/^one, cpu3c-1-2$/).waitFor();
    await window.entry(/^bad, has errors/).waitFor();
    await window.openFile('bad.py');
    await window.page.locator('.squiggly-error').first().waitFor();
    await window.welcome.getByText('open in Restricted Mode').waitFor();
    await window.welcome.getByRole('button', { name: 'Manage Trust' }).waitFor();
    await window.expectCommands([...ALWAYS, 'Filter Endpoints']);
    await window.openFile('one.py');
    for (const title of ['Run', 'Deploy']) {
      const refused = window.message('This window is in Restricted Mode');
      await window.clickLens(window.lens(title).first(), refused);
      await refused.getByRole('button', { name: 'Manage Trust' }).waitFor();
      await window.run('Notifications: Clear All Notifications');
      await refused.waitFor({ state: 'detached' });
    }
    assert.equal(processes(SERVER).length, 1);
    assert.deepEqual(processes(CORE), []);
    await window.close();
  });

  it('offers no new project in an empty folder', async () => {
    const window = new Workbench(await code.open(place('empty')));
    await window.showEndpoints();
    await window.welcome.getByText('It is open in Restricted Mode').waitFor();
    await window.expectCommands(ALWAYS);
    await window.close();
  });
});

/** Windows of a server that runs as long as the surrounding tests. */
function windowsOf(home: string): {
  look: (opened: string | null, look: (window: Workbench) => Promise<void>) => Promise<void>;
} {
  let code: VSCode;
  before(async () => {
    code = await VSCode.start({ home: place(home), env, install: [ensureVsix()] });
  });
  after(() => code.stop());
  return {
    /** Opens a window, and checks it while it is open. */
    async look(opened, look) {
      const window = new Workbench(await code.open(opened));
      try {
        await window.showEndpoints();
        await look(window);
      } catch (error) {
        await window.picture(`failed ${path.basename(opened ?? 'empty window')}`);
        throw error;
      } finally {
        await window.close();
      }
    },
  };
}
