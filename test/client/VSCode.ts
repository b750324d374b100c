/**
 * A real VS Code on this machine: its server in a separate process, and its workbench as pages of Chromium.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../setup/browser.ts';
import { freePort } from '../setup/freePort.ts';
import { VSCODE_SERVER } from '../setup/vscode.ts';

interface VSCodeOptions {
  /** An existing folder for profile and extensions. */
  home: string;
  /** The environment of the server, and so of the extension host and terminals. */
  env: NodeJS.ProcessEnv;
  /** Installed extensions, as paths of VSIX files. */
  install?: readonly string[];
  settings?: Record<string, unknown>;
  /** Whether every folder is trusted, which is the default. Otherwise none is until the user says so. */
  trust?: boolean;
}

interface OpenOptions {
  /** Folder of an extension to load without installing it. */
  development?: string;
  /** A module whose `run()` is called in the extension host. The page ends with the suite. */
  suite?: string;
  /** A file of the folder that is opened too. */
  file?: string;
}

/** Without these settings the workbench uses the network, or shows dialogs and hovers over what a test looks at. */
const SETTINGS = {
  'remote.autoForwardPorts': false,
  'workbench.editor.useModal': 'off',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  // The hover of a long path covers what a test clicks.
  'workbench.hover.delay': 600_000,
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
};
/** How long a test waits for something to appear, milliseconds. */
const ANSWER = 60_000;
const SERVER_FLAGS = [
  '--without-connection-token',
  '--accept-server-license-terms',
  // Without it, the extension host gets the environment of the user's login shell, such as another PATH.
  '--force-disable-user-env',
];

try {
  // For this process and what it starts. On a busy machine, a window would otherwise react later than the product allows for.
  setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
} catch {
  // Only root may do so.
}

export class VSCode {
  readonly #process: ChildProcess;
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #settings: string;

  private constructor(process: ChildProcess, browser: Browser, origin: string, settings: string) {
    this.#settings = settings;
    this.#process = process;
    this.#browser = browser;
    this.#origin = origin;
  }

  /** Starts the server with an empty profile. */
  static async start({
    home,
    env,
    install = [],
    settings = {},
    trust = true,
  }: VSCodeOptions): Promise<VSCode> {
    const [data, extensions] = [path.join(home, 'data'), path.join(home, 'extensions')];
    mkdirSync(path.join(data, 'Machine'), { recursive: true });
    const settingsFile = path.join(data, 'Machine/settings.json');
    writeFileSync(settingsFile, JSON.stringify({ ...SETTINGS, ...settings }));
    const folders = ['--user-data-dir', data, '--extensions-dir', extensions];
    const errors = openSync(path.join(home, 'server.log'), 'a');
    const run = (...args: string[]) =>
      spawn(process.execPath, [VSCODE_SERVER.main, ...folders, ...args], {
        cwd: VSCODE_SERVER.folder,
        env: { ...env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' },
        stdio: ['ignore', 'ignore', errors],
      });
    for (const file of install) {
      const [code] = (await once(run('--install-extension', file), 'exit')) as [number];
      if (code !== 0)
        throw new Error(`VS Code does not install ${file}: see ${path.join(home, 'server.log')}.`);
    }
    const port = await freePort();
    // It makes a page load an extension from a folder, or run a suite; but it also hides messages.
    const trusted = trust ? ['--disable-workspace-trust'] : [];
    const driver = install.length > 0 ? [] : ['--enable-smoke-test-driver'];
    const server = run('--host=127.0.0.1', `--port=${port}`, ...SERVER_FLAGS, ...driver, ...trusted);
    const origin = `http://127.0.0.1:${port}`;
    await answers(origin);
    const browser = await openBrowser();
    return new VSCode(server, browser, origin, settingsFile);
  }

  /** Opens a folder, a .code-workspace file, or nothing in a new window. */
  async open(folder: string | null, options: OpenOptions = {}): Promise<Page> {
    const profile = await this.#browser.newContext({
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await profile.newPage();
    await this.#go(page, folder, options);
    await page.waitForSelector('.monaco-workbench');
    page.setDefaultTimeout(ANSWER);
    return page;
  }

  /**
   * Closes a window and opens it again with its stored state.
   *
   * @param kept - Texts without backslashes that VS Code must have stored first: a browser window stores its
   * state every few seconds.
   */
  async reopen(page: Page, ...kept: string[]): Promise<Page> {
    const url = page.url();
    for (const text of kept)
      for (const until = Date.now() + 30_000; !(await page.evaluate<boolean>(stored(text))); await sleep(100))
        if (Date.now() > until) throw new Error(`VS Code does not store ${text}.`);
    const again = await page.context().newPage();
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
    await again.goto(url);
    await again.waitForSelector('.monaco-workbench');
    again.setDefaultTimeout(ANSWER);
    return again;
  }

  /**
   * Runs a suite in the extension host.
   *
   * @returns What it printed.
   * @throws When it fails, or does not end within 90 s.
   */
  async runSuite(
    folder: string,
    options: Required<Pick<OpenOptions, 'development' | 'suite'>>,
  ): Promise<string[]> {
    const page = await this.#browser.newPage();
    const printed: string[] = [];
    const ended = Promise.withResolvers<number>();
    await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
      printed.push(args.map(String).join(' '));
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
    await this.#go(page, folder, options);
    const code = await Promise.race([ended.promise, sleep(90_000, null, { ref: false })]);
    await page.close({ runBeforeUnload: true });
    if (code !== 0)
      throw new Error(`The suite ended with ${code ?? 'nothing in 90 s'}:\n${printed.join('\n')}`);
    return printed;
  }

  /** Changes settings while windows are open: to the given ones plus the defaults of the tests. */
  configure(settings: Record<string, unknown>): void {
    writeFileSync(this.#settings, JSON.stringify({ ...SETTINGS, ...settings }));
  }

  /** Ends windows, extension hosts and server. */
  async stop(): Promise<void> {
    await this.#browser.close();
    this.#process.kill();
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
  }

  async #go(page: Page, folder: string | null, { development, suite, file }: OpenOptions): Promise<void> {
    const remote = (place: string) => `vscode-remote://${new URL(this.#origin).host}${place}`;
    const payload = [
      ...(development ? [['extensionDevelopmentPath', remote(development)]] : []),
      ...(file ? [['openFile', remote(`${folder}/${file}`)]] : []),
      ...(suite ? [['extensionTestsPath', remote(suite)]] : []),
    ];
    const query = new URLSearchParams({ payload: JSON.stringify(payload) });
    if (folder === null) query.set('ew', 'true');
    else query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
    await page.goto(`${this.#origin}/?${query}`);
  }
}

/** Runs in the page: whether VS Code has stored a text, at any depth of quotes. */
function stored(text: string): string {
  return `(async () => {
  const result = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await result(indexedDB.open(name));
    const values = await result(database.transaction('ItemTable').objectStore('ItemTable').getAll());
    database.close();
    if (JSON.stringify(values).replaceAll('\\\\', '').includes(${JSON.stringify(text)})) return true;
  }
  return false;
})()`;
}

async function answers(origin: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const response = await fetch(origin).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error(`VS Code's server does not respond at ${origin}.`);
}
