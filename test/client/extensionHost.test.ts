/** The extension inside VS Code's extension host: tasks, the language server, and the command in terminals. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as esbuild from 'esbuild';
import { writeProject } from '../setup/toolkit.ts';
import { VSCode } from './VSCode.ts';

const root = path.join(import.meta.dirname, '../..');

interface Outcome {
  title: string;
  failure: string | null;
}

/** All tests of test/client/host, in order. */
const TITLES = [
  'adds the findings of the task `check` to the problems',
  'leads from a traceback to its line',
  'offers no tasks in a folder that is not a project, and every command in one that is',
  'shows mistakes at their location',
  'shows lenses whose commands this extension has',
  'is available in a terminal that opens in the project',
  'is available in every other terminal, and requires no Node on PATH',
];

/** As Python 3.10 writes it, and as `toolkit dev` shows what 3.11 writes. */
const TRACEBACKS = `Traceback (most recent call last):
  File "plain.py", line 10, in bad
    return helper(n)
  File "plain.py", line 13, in helper
    return 1 / n
ZeroDivisionError: division by zero
api-1 | Traceback (most recent call last):
api-1 |   File "marked.py", line 9, in sell
api-1 |     return take(n)
api-1 |            ^^^^^^^
api-1 |   File "marked.py", line 4, in take
api-1 |     return left[n]
api-1 |            ~~~~^^^
api-1 | shop.Sold: "one" is gone
`;

const TASKS = {
  version: '2.0.0',
  tasks: [
    { type: 'toolkit', command: 'check', args: ['--no-color'] },
    {
      type: 'shell',
      label: 'traceback',
      // It keeps running, like a server: VS Code reads for at most 100 ms after the end of a task.
      command: 'cat tracebacks.txt; tail -f /dev/null',
      // In a terminal that ran a task before, VS Code 1.139 reads each line once more per task.
      presentation: { panel: 'new' },
      problemMatcher: ['$toolkit-traceback', '$toolkit-traceback-marked'],
    },
  ],
};

const PROJECT = {
  'bad.py':
    'from toolkit_sdk import Endpoint\n\n@Endpoint(name="one", cpu="cpu3c12")\ndef one(x: int):\n    return x\n',
  'plain.py': '\n'.repeat(20),
  'marked.py': '\n'.repeat(20),
  'tracebacks.txt': TRACEBACKS,
  '.vscode/tasks.json': JSON.stringify(TASKS),
};

// They run once, in one window, before they are reported.
describe('in the extension host', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-vscode-'));
  let outcomes: Outcome[] = [];

  before(async () => {
    const suite = path.join(folder, 'suite.mjs');
    await esbuild.build({
      entryPoints: [path.join(import.meta.dirname, 'host/main.ts')],
      outfile: suite,
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['vscode'],
    });
    writeProject(path.join(folder, 'project'), PROJECT);
    const code = await VSCode.start({ home: folder, env: process.env });
    try {
      const printed = await code.runSuite(path.join(folder, 'project'), { development: root, suite });
      outcomes = printed.flatMap((line) =>
        line.startsWith('HOST ') ? [JSON.parse(line.slice('HOST '.length)) as Outcome] : [],
      );
    } finally {
      await code.stop();
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const title of TITLES) {
    it(title, () => {
      const outcome = outcomes.find((one) => one.title === title);
      assert.ok(outcome, 'it did not run');
      assert.equal(outcome.failure, null);
    });
  }

  it('there are no other tests', () =>
    assert.deepEqual(
      outcomes.map(({ title }) => title),
      TITLES,
    ));
});
