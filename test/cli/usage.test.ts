import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { CommandSpec } from '../../runtime/cli/commandSpec.ts';
import { COMMANDS } from '../../runtime/cli/commands.ts';
import { cleanEnvironment, workbench } from '../setup/toolkit.ts';

describe('the command line', () => {
  it('prints its version', async (t) => {
    const bench = workbench(t);
    const ran = await bench.toolkit(bench.folder, ['--version']);
    assert.equal(ran.code, 0);
    assert.match(ran.stdout, /^\d+\.\d+\.\d+\n$/);
  });

  const cases: [string[], RegExp][] = [
    [['chekc'], /unknown command "chekc".*Did you mean check\?/i],
    [['build', '--exlude', 'numpy'], /unknown option "--exlude".*Did you mean --exclude\?/i],
    [['init', 'x', '--template', 'none'], /"none" is invalid.*default, tutorial/i],
    [['call'], /missing required argument "NAME"/i],
    [['platform', 'start', '--port', 'many'], /--port must be a whole number from 0 to 65535, not "many"/],
    [
      ['platform', 'start', '--max-waiting-bytes', '0'],
      /--max-waiting-bytes must be a whole number above 0, not "0".*--max-waiting-bytes 2000000000\./,
    ],
    [['check', ''], /The argument \[PATH\.\.\.\] is empty\. .*toolkit check --help/],
    [['dev', '--host', ''], /--host .* is invalid\. The value is empty\./],
    [['build', '--output='], /--output .* is invalid\. The value is empty\./],
    [[], /No command was given/],
  ];
  for (const [args, message] of cases) {
    it(`refuses "toolkit ${args.join(' ')}" with exit code 2 and a hint`, async (t) => {
      const bench = workbench(t);
      const ran = await bench.toolkit(bench.folder, args);
      assert.equal(ran.code, 2, ran.stderr);
      assert.match(ran.stderr.replaceAll('\n', ' '), message);
      assert.equal(ran.stdout, '');
      const json = await bench.toolkit(bench.folder, [...args, '--json']);
      assert.equal(json.code, 2);
      assert.equal(json.json<{ error: { code: string } }>().error.code, 'USAGE');
    });
  }

  const every = (specs: CommandSpec[], before: string[] = []): [string[], CommandSpec][] =>
    specs.flatMap((spec) => [
      [[...before, spec.name], spec] as [string[], CommandSpec],
      ...every(spec.commands ?? [], [...before, spec.name]),
    ]);
  for (const [words, spec] of every(COMMANDS)) {
    it(`"toolkit ${words.join(' ')} --help" has examples`, async (t) => {
      const bench = workbench(t);
      const ran = await bench.toolkit(bench.folder, [...words, '--help']);
      assert.equal(ran.code, 0);
      assert.match(ran.stdout, /Examples:/);
      for (const [example] of spec.examples) assert.ok(ran.stdout.includes(example));
    });
  }

  it('does not treat a closed pipe as an error', () => {
    const cli = path.join(import.meta.dirname, '../../dist/cli.js');
    const ran = spawnSync('bash', ['-c', `set -o pipefail; "${process.execPath}" "${cli}" --help | true`], {
      encoding: 'utf8',
    });
    assert.equal(ran.status, 0, ran.stderr);
    assert.equal(ran.stderr, '');
  });

  it('reports a result that does not fit on the disk, and continues when messages do not fit', async (t) => {
    const bench = workbench(t);
    const project = bench.project('shop', { 'pyproject.toml': '' });
    const cli = path.join(import.meta.dirname, '../../dist/cli.js');
    const run = (script: string) =>
      spawnSync('bash', ['-c', `"${process.execPath}" "${cli}" ${script}`], {
        cwd: project,
        env: { ...cleanEnvironment(), TOOLKIT_HOME: bench.home },
        encoding: 'utf8',
      });
    assert.notEqual(run('--help; echo x > /dev/full').status, 0, 'the disk is full');
    for (const flags of ['', ' --json']) {
      const lost = run(`list${flags} > /dev/full`);
      assert.equal(lost.status, 1, lost.stderr);
      assert.match(lost.stderr, /^error: The result could not be written to standard output \(ENOSPC\)\.\n/);
      assert.doesNotMatch(lost.stderr, /\n {4}at /);
    }
    const silent = run('check gone.py 2> /dev/full');
    assert.deepEqual([silent.status, silent.stdout], [2, '']);
  });

  it('reports the name of a project that is not a folder', async (t) => {
    const bench = workbench(t);
    const ran = await bench.toolkit(bench.folder, ['check', '--project', 'nowhere']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /--project nowhere is not a folder/);
  });
});
