/**
 * The extension as users see it, in real windows of VS Code: its activation with and without endpoints in the
 * folder, measured by VS Code itself; the first lens after a folder is opened over the first hover of an
 * extension that does nothing else; and the installed size.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { VSCode } from '../client/VSCode.ts';
import { Workbench } from '../client/Workbench.ts';
import { cleanEnvironment, writeProject } from '../setup/toolkit.ts';
import { ensureVSCode } from '../setup/vscode.ts';
import { ensureVsix } from '../setup/vsix.ts';
import { ASKED, growDenseTree } from './denseTree.ts';
import { quantile } from './measure.ts';

const ROUNDS = 5;
const TITLE = 'Serverless Endpoint Toolkit';
const NULL_TITLE = 'Null Extension';

const ENDPOINT = `from toolkit_sdk import Endpoint


@Endpoint(name="one", cpu="cpu3c-1-2")
def one(x: int):
    """Run."""
    return x
`;

const NULL_EXTENSION = {
  'package.json': JSON.stringify({
    name: 'null',
    displayName: NULL_TITLE,
    publisher: 'null',
    version: '0.0.1',
    engines: { vscode: '^1.101.0' },
    main: './extension.js',
    // The toolkit's own events: an extension that is activated while a window opens has to wait.
    activationEvents: (
      JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
        activationEvents: string[];
      }
    ).activationEvents,
  }),
  'extension.js': `const vscode = require('vscode');
exports.activate = (context) => context.subscriptions.push(
  vscode.languages.registerHoverProvider('python', { provideHover: () => new vscode.Hover('null extension') }));`,
};

ensureVSCode();
const vsix = ensureVsix();
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const place = (name: string) => path.join(folder, name);
try {
  writeProject(place('endpoints'), { 'pyproject.toml': '[tool.toolkit]\napp = "x"\n', 'one.py': ENDPOINT });
  writeProject(place('plain'), { 'pyproject.toml': '[project]\nname = "x"\n', 'one.py': 'x = 1\n' });
  growDenseTree(place('dense'));
  mkdirSync(place('ours'));
  writeProject(place('theirs/extensions/null.null-0.0.1'), NULL_EXTENSION);
  const env = { ...cleanEnvironment(), TOOLKIT_HOME: place('toolkit') };
  const ours = await VSCode.start({ home: place('ours'), env, install: [vsix] });
  const theirs = await VSCode.start({ home: place('theirs'), env });
  try {
    await printActivation(ours, theirs);
    await printFirstLens(ours, theirs, { project: 'endpoints', file: 'one.py', what: 'one endpoint' });
    await printFirstLens(ours, theirs, {
      project: 'dense',
      file: ASKED,
      what: '1,200 endpoints in 600 files',
    });
  } finally {
    await Promise.all([ours.stop(), theirs.stop()]);
  }
  printSize();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function printActivation(ours: VSCode, theirs: VSCode): Promise<void> {
  for (const [project, what] of [
    ['endpoints', 'with toolkit_sdk in the folder'],
    ['plain', 'without'],
  ] as const) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, [code, title]] of (
        [
          [ours, TITLE],
          [theirs, NULL_TITLE],
        ] as const
      ).entries()) {
        const window = new Workbench(await code.open(place(project), { file: 'one.py' }));
        times[index]!.push(await activationTime(window, title));
        if (project === 'plain') requireNothingStarted();
        await window.close();
      }
    }
    const [own, bare] = times.map((all) => [quantile(all, 0.5), quantile(all, 0.95)]) as [number[], number[]];
    process.stdout.write(
      `activation ${what}: p50 ${own[0]} ms (goal ≤ 50), p95 ${own[1]} ms; of an extension that does nothing ${bare.join(', ')} ms\n`,
    );
  }
}

/** Milliseconds, from the list of running extensions. */
async function activationTime(window: Workbench, title: string): Promise<number> {
  await window.run('Developer: Show Running Extensions');
  const row = window.page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: title });
  const text = await row.locator('.activation-time').innerText();
  return Number(/(\d+)ms/.exec(text)![1]);
}

function requireNothingStarted(): void {
  const started = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TOOLKIT_HOME=${place('toolkit')}`) &&
        /dist\/(server|cli)\.js/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      );
    } catch {
      return false;
    }
  });
  if (started.length > 0) throw new Error(`${started.length} processes were started without endpoints.`);
}

interface Opened {
  project: string;
  file: string;
  what: string;
}

async function printFirstLens(ours: VSCode, theirs: VSCode, opened: Opened): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const sides = [
      () => untilShown(ours, opened, (window) => window.lens('Run').first().waitFor()),
      () => untilShown(theirs, opened, firstHover),
    ];
    for (const [index, side] of sides.entries()) {
      const time = await side();
      if (round > 0) times[index]!.push(time);
    }
  }
  const [lens, hover] = times.map((all) => quantile(all, 0.5)) as [number, number];
  process.stdout.write(
    `folder to first lens, ${opened.what}: ${lens.toFixed(0)} ms; to first hover of a null extension ${hover.toFixed(0)} ms\n` +
      `first lens / first hover of a null extension, ${opened.what}: ${(lens / hover).toFixed(2)} (no goal)\n`,
  );
}

async function untilShown(
  code: VSCode,
  { project, file }: Opened,
  shown: (window: Workbench) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  const window = new Workbench(await code.open(place(project), { file }));
  await shown(window);
  const time = performance.now() - startedAt;
  await window.close();
  return time;
}

/** Before its provider is registered, a hover is empty, so it is requested again. */
async function firstHover({ page }: Workbench): Promise<void> {
  const word = page.locator('.view-line span', { hasText: 'return' }).last();
  await word.waitFor();
  for (;;) {
    await word.hover();
    const isShown = await page
      .locator('.monaco-hover', { hasText: 'null extension' })
      .waitFor({ timeout: 400 })
      .then(
        () => true,
        () => false,
      );
    if (isShown) return;
    await page.mouse.move(0, 0);
  }
}

function printSize(): void {
  const megabytes = statSync(vsix).size / 1_000_000;
  const files = Object.keys(unzipSync(readFileSync(vsix))).length;
  process.stdout.write(`VSIX: ${megabytes.toFixed(2)} MB (goal ≤ 1.5)\nVSIX: ${files} files (goal ≤ 25)\n`);
}
