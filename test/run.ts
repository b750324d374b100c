/**
 * Runs every test of the project: the checks, Node's runner and pytest. First installs what is missing. The last line
 * of its output is the total. Exits with 1 if anything fails.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { NodeTests, type Tally } from './nodeTests.ts';
import { ensurePrograms } from './setup/programs.ts';

/** Folders of tests, by how long their longest file takes. */
const SLOWEST = ['client', 'faults', 'layouts', 'platform', 'dev', 'deploy', 'cli'];

const root = path.join(import.meta.dirname, '..');
const only = process.argv.slice(2);
// Tests and platforms start hundreds of times from their TypeScript.
process.env['NODE_COMPILE_CACHE'] = path.join(root, '.cache/compiled');

ensurePrograms();
const totals = { passed: 0, failed: 0 };
// Downloads and compilers leave a core idle. VS Code takes the longest, and only tests of the extension need it.
const vscode = setUp('vscode');
await Promise.all([
  ...['python', 'nativeEngine', 'kernel'].map(setUp),
  suite('build', () => command('npm', ['run', '--silent', 'build'])),
]);
await suite('package', () => command('npm', ['run', '--silent', 'package']));
// Without a build, every test would fail with an unrelated message.
if (totals.failed > 0) await vscode.then(finish);
await Promise.all([suite('node', nodeTests), vscode]);
finish();

/** All test files, the slowest rooms first: a long file that begins last would run alone. */
function testFiles(): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/{gpu,long}/**'] }).toSorted();
  const rank = (file: string) => {
    const place = SLOWEST.indexOf(file.split(path.sep)[1]!);
    return place === -1 ? SLOWEST.length : place;
  };
  return files.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Most tests wait for other processes, so one more than there are cores run at once, beside pytest, the checks and then a further
 * test.
 */
async function nodeTests(): Promise<Tally> {
  const files = only.length > 0 ? globSync(only, { cwd: root }) : testFiles();
  if (files.length === 0) throw new Error(`No test file matches ${only.join(' ')}.`);
  const tests = new NodeTests(root, files, { timeout: only.length > 0 ? 3_600_000 : 600_000, vscode });
  const lanes = [1, 2, 3].map(() => tests.lane());
  if (only.length === 0) lanes.push(pythonAndChecks().then(() => tests.lane()));
  await Promise.all(lanes);
  return tests.end();
}

async function pythonAndChecks(): Promise<void> {
  await suite('pytest', pythonTests);
  await suite('check', () => command('npm', ['run', '--silent', 'check']));
}

function finish(): never {
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
  process.exit(totals.failed > 0 ? 1 : 0);
}

/** Installs what tests need, in a process of its own. */
async function setUp(what: string): Promise<void> {
  const { code, output } = await start(process.execPath, [path.join('test/setup', `${what}.ts`)]);
  if (code === 0) return;
  process.stdout.write(output);
  totals.failed += 1;
}

/** Runs a part, and prints what it has to say when it has ended. */
async function suite(name: string, run: () => Promise<Tally>): Promise<void> {
  const { passed, failed, output } = await run();
  process.stdout.write(`\n── ${name}: ${passed} passed, ${failed} failed\n${output}`);
  totals.passed += passed;
  totals.failed += failed;
}

/** A command that counts as one test. */
async function command(file: string, args: string[]): Promise<Tally> {
  const { code, output } = await start(file, args);
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

async function pythonTests(): Promise<Tally> {
  const { code, output } = await start(path.join(root, '.venv/bin/python'), [
    '-m',
    'pytest',
    '-c',
    'runtime/python/pyproject.toml',
    'test/python',
  ]);
  const number = (label: string): number =>
    Number(new RegExp(`(\\d+) ${label}`).exec(output.trim().split('\n').at(-1) ?? '')?.[1] ?? 0);
  const failed = number('failed') + number('error') + number('skipped') + number('xfailed');
  return { passed: number('passed'), failed: code === 0 || failed > 0 ? failed : 1, output };
}

function start(file: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
