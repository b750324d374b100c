/**
 * The Python of a project, from none on the machine to toolkit_sdk in a virtual environment, and how the
 * extension helps.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { DevRecord } from '../../runtime/contract/devSocket.ts';
import { cleanEnvironment, workbench, writeProject } from '../setup/toolkit.ts';
import { ensureVsix } from '../setup/vsix.ts';
import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const root = path.join(import.meta.dirname, '../..');
const venv = path.join(root, '.venv');
const realPython = realpathSync(path.join(venv, 'bin/python'));
const PORT = 41_000 + Math.floor(Math.random() * 9_000);

const WORKER = `from toolkit_sdk import Endpoint


@Endpoint(name="one", cpu="cpu3c-1-2", dependencies=["odd-name"])
def one(x: int):
    """Run."""
    import needed_by_odd

    return needed_by_odd.run(x)
`;

/** Has the API that Microsoft's extension documents. What it selects is what its command is given. */
const PYTHON_EXTENSION = {
  'package.json': JSON.stringify({
    name: 'python',
    publisher: 'ms-python',
    version: '0.0.1',
    engines: { vscode: '^1.101.0' },
    main: './extension.js',
    activationEvents: [],
    contributes: { commands: [{ command: 'python.select', title: 'Python: Select the Stand-in' }] },
  }),
  'extension.js': `
const vscode = require('vscode');
exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  let selected = null;
  context.subscriptions.push(vscode.commands.registerCommand('python.select', () => {
    selected = process.env.SELECTED_PYTHON;
    changed.fire({ id: selected, path: selected, resource: undefined });
  }));
  return {
    ready: Promise.resolve(),
    environments: {
      known: [],
      getActiveEnvironmentPath: () => ({ id: selected ?? '', path: selected ?? '' }),
      resolveEnvironment: async ({ path }) => path ? { path, executable: { uri: vscode.Uri.file(path) } } : undefined,
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};`,
};

/** A system's Python: its pip refuses to install into it. */
const MANAGED = `import sysconfig
own = sysconfig.get_path
sysconfig.get_path = lambda name, *a, **k: sys_folder if name == "stdlib" else own(name, *a, **k)
sys_folder = __file__.rpartition("/")[0]
`;

describe("a project's Python in VS Code", () => {
  const bench = workbench({ after });
  const bin = path.join(bench.folder, 'bin');
  const home = path.join(bench.folder, 'vscode');
  const selected = path.join(bench.folder, 'selected');
  let code: VSCode;

  before(async () => {
    mkdirSync(bin);
    writeProject(path.join(home, 'extensions/ms-python.python-0.0.1'), PYTHON_EXTENSION);
    writeProject(selected, {
      'pyvenv.cfg': 'version = 3.11.7\n',
      'lib/python3.11/site-packages/toolkit_sdk/__init__.py': '',
      'lib/python3.11/site-packages/odd_name-1.0.dist-info/METADATA':
        'Name: odd-name\nVersion: 1.0\nRequires-Dist: needed-by-odd>=1\n\n',
      'lib/python3.11/site-packages/odd_name-1.0.dist-info/RECORD': 'odd_name/__init__.py,,\n',
    });
    mkdirSync(path.join(selected, 'bin'));
    symlinkSync(realPython, path.join(selected, 'bin/python'));
    const { TOOLKIT_PYTHON, VIRTUAL_ENV, ...env } = cleanEnvironment();
    code = await VSCode.start({
      home,
      env: {
        ...env,
        PATH: bin,
        TOOLKIT_HOME: bench.home,
        SELECTED_PYTHON: path.join(selected, 'bin/python'),
      },
      settings: { 'toolkit.dev.port': PORT },
      install: [ensureVsix()],
    });
  });
  after(() => code.stop());

  const open = async (app: string): Promise<{ window: Workbench; project: string }> => {
    const project = bench.project(app, {
      'pyproject.toml': `[tool.toolkit]\napp = "${app}"\n`,
      'one.py': WORKER,
    });
    const window = new Workbench(await code.open(project));
    await window.status.getByText(`${app}/production`).waitFor();
    return { window, project };
  };
  const install = (script: string) => {
    rmSync(path.join(bin, 'python3'), { force: true });
    writeFileSync(path.join(bin, 'python3'), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, 'python3'), 0o755);
  };

  it('is missing: a button opens the downloads', async () => {
    const { window } = await open('none');
    await window.run('Toolkit: Install toolkit_sdk');
    const message = window.message('No Python was found. Install Python 3.10 or newer.');
    await message.waitFor();
    assert.deepEqual(await message.locator('.monaco-button').allInnerTexts(), [
      'Download Python',
      'Select Python',
    ]);
    await window.showEndpoints();
    const welcome = window.welcome.filter({ hasText: 'No Python 3.10 or newer was found' });
    await welcome.getByRole('button', { name: 'Select Python' }).waitFor();
    await window.close();
  });

  it('is too old: a message says so, and the list of interpreters marks it', async () => {
    install('echo 3.8.10');
    const { window } = await open('old');
    await window.run('Toolkit: Install toolkit_sdk');
    const text = /python3 is Python 3\.8\.10\. toolkit_sdk needs Python 3\.10 or newer\./;
    await window.press(text, 'Select Python');
    await window.items('Python 3.8.10').getByText('Too old').waitFor();
    await window.close();
  });

  it('does not allow installing packages: .venv is created, and toolkit_sdk installed in it', async () => {
    const system = writeProject(path.join(bench.folder, 'system'), {
      'sitecustomize.py': MANAGED,
      'EXTERNALLY-MANAGED': '[externally-managed]\nError=Use the packages of the system.\n',
    });
    const packages = path.join(venv, 'lib', readdirSync(path.join(venv, 'lib'))[0]!, 'site-packages');
    install(`PYTHONPATH=${system}:${packages} exec ${realPython} "$@"`);
    const { window, project } = await open('managed');
    await window.press(/toolkit_sdk is not installed for .*python3/, 'Install');
    const refusal = /python3 is managed by the operating system/;
    await window.message(refusal).waitFor();
    await window.press(refusal, 'Create .venv and Install');
    await window.message(/toolkit_sdk .* is installed for \.venv\./).waitFor();
    const library = path.join(project, '.venv/lib');
    assert.ok(existsSync(path.join(library, readdirSync(library)[0]!, 'site-packages/toolkit_sdk')));
    await window.run('Toolkit: Select Python');
    await window
      .items(/\(\.venv\)/)
      .locator('.codicon-check')
      .waitFor();
    await window.close();
  });

  it('cannot create virtual environments: the message names the package to install', async () => {
    const words = 'The virtual environment was not created successfully because ensurepip is not available.';
    install(
      `case "$*" in "-m venv"*) mkdir -p "$3"; echo "${words}"; exit 1;; esac\nexec ${realPython} "$@"`,
    );
    const { window, project } = await open('debian');
    await window.run('Toolkit: Select Python');
    await window.items('Create .venv').click();
    await window
      .message(/ensurepip is missing\. On Debian .* "sudo apt install python3\.\d+-venv"/)
      .waitFor();
    assert.ok(!existsSync(path.join(project, '.venv')));
    await window.close();
  });

  it('is selected by the Python extension, for checks and the dev server, until a setting names another', async () => {
    install(`exec ${realPython} "$@"`);
    const { window, project } = await open('chosen');
    const problems = window.page.locator('.statusbar-item[id="status.problems"]');
    await window.page.locator('.explorer-folders-view').getByText('one.py').dblclick();
    await problems.locator('[aria-label="Warnings: 1"]').waitFor();
    await window.run('Python: Select the Stand-in');
    await problems.locator('[aria-label="No Problems"]').waitFor();

    await window.run('Toolkit: Start Dev Server');
    await window.status.getByText(`dev :${PORT}`).waitFor();
    const folder = path.join(bench.home, 'dev');
    const file = readdirSync(folder).find((name) => name.endsWith('.json'))!;
    const { pid } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as DevRecord;
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    assert.ok(variables.includes(`TOOLKIT_PYTHON=${path.join(selected, 'bin/python')}`));
    await window.run('Toolkit: Stop Dev Server');
    await window.status.getByText('dev :').waitFor({ state: 'detached' });

    await window.run('Toolkit: Select Python');
    await window
      .items(/\(selected\)/)
      .locator('.codicon-check')
      .waitFor();
    await window.items(path.join(bin, 'python3')).click();
    await problems.locator('[aria-label="Warnings: 1"]').waitFor();
    const settings = readFileSync(path.join(project, '.vscode/settings.json'), 'utf8');
    assert.deepEqual(JSON.parse(settings), { 'toolkit.python': path.join(bin, 'python3') });
    await window.close();
  });
});
