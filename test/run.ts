/**
 * Every test of the project: checks, node's runner, pytest. Installs what is missing first. Fails when anything fails;
 * the last line counts.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { ensureKernel } from './setup/kernel.ts';
import { ensureNativeEngine } from './setup/nativeEngine.ts';
import { ensurePrograms } from './setup/programs.ts';
import { ensurePython } from './setup/python.ts';
import { ensureVSCode } from './setup/vscode.ts';

interface Tally {
  passed: number;
  failed: number;
}

const root = path.join(import.meta.dirname, '..');
const only = process.argv.slice(2);

ensurePrograms();
ensureKernel();
ensurePython();
ensureNativeEngine();
ensureVSCode();
const totals: Tally = { passed: 0, failed: 0 };
await suite('build', () => command('npm', ['run', '--silent', 'build']));
await suite('package', () => command('npm', ['run', '--silent', 'package']));
// Without a build every test would fail, each in its own words.
if (totals.failed > 0) finish();
if (only.length === 0) await suite('check', () => command('npm', ['run', '--silent', 'check']));
await suite('node', () =>
  nodeTests(
    only.length > 0
      ? only
      : globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/long/**'] }).toSorted(),
  ));
if (only.length === 0) await suite('pytest', pythonTests);
finish();

function finish(): never {
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
  process.exit(totals.failed > 0 ? 1 : 0);
}

async function suite(name: string, run: () => Promise<Tally>): Promise<void> {
  process.stdout.write(`\n── ${name}\n`);
  const { passed, failed } = await run();
  totals.passed += passed;
  totals.failed += failed;
}

/** A command that passes or fails as a whole. */
async function command(file: string, args: string[]): Promise<Tally> {
  const { code } = await start(file, args);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function nodeTests(files: string[]): Promise<Tally> {
  const args = [
    '--test',
    '--test-concurrency=2',
    `--test-timeout=${only.length > 0 ? 3_600_000 : 600_000}`,
    '--test-reporter=dot',
    '--test-reporter-destination=stderr',
  ];
  const { code, output } = await start(
    process.execPath,
    [...args, '--test-reporter=tap', '--test-reporter-destination=stdout', ...files],
    true,
  );
  const number = (label: string): number =>
    Number(new RegExp(`^# ${label} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const passed = number('pass');
  const failed = number('fail') + number('cancelled') + number('skipped') + number('todo');
  for (const line of findings(output)) process.stdout.write(`${line}\n`);
  if (failed > 0 || code !== 0) process.stdout.write(`${failures(output)}\n`);
  return { passed, failed: code === 0 || failed > 0 ? failed : 1 };
}

/** What tests told beside passing, such as counts of a hundred rounds: the test's title, then its words. */
function findings(tap: string): string[] {
  const told: string[] = [];
  let title = '';
  for (const line of tap.split('\n')) {
    title = /^\s*(?:not )?ok \d+ - (.*)$/.exec(line)?.[1] ?? title;
    const words =
      /^\s*# (?!Subtest: |(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$)(.*)$/.exec(
        line,
      )?.[1];
    if (words !== undefined) told.push(`${title}: ${words}`);
  }
  return told;
}

/** The blocks of TAP that begin with `not ok`, as they stand. */
function failures(tap: string): string {
  const lines = tap.split('\n');
  const kept: string[] = [];
  let inside = false;
  for (const line of lines) {
    if (/^\s*not ok /.test(line)) inside = true;
    else if (/^\s*(ok |# Subtest)/.test(line)) inside = false;
    if (inside) kept.push(line);
  }
  return kept.join('\n');
}

async function pythonTests(): Promise<Tally> {
  const { code, output } = await start(
    path.join(root, '.venv/bin/python'),
    ['-m', 'pytest', '-c', 'runtime/python/pyproject.toml', 'test/python'],
    true,
  );
  process.stdout.write(output);
  const number = (label: string): number =>
    Number(new RegExp(`(\\d+) ${label}`).exec(output.trim().split('\n').at(-1) ?? '')?.[1] ?? 0);
  const failed = number('failed') + number('error') + number('skipped') + number('xfailed');
  return { passed: number('passed'), failed: code === 0 || failed > 0 ? failed : 1 };
}

function start(
  file: string,
  args: string[],
  capture = false,
): Promise<{ code: number | null; output: string }> {
  const options: SpawnOptions = { cwd: root, stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'] };
  const child = spawn(file, args, options);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
