/** Prompts, on a real pseudo-terminal. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { onTerminal } from '../setup/terminal.ts';
import { workbench } from '../setup/toolkit.ts';

/** The output of `toolkit dev` until it is ready, for a project with one endpoint of this description. */
async function startOfDev(
  t: TestContext,
  { description, port, size }: { description: string; port: number; size: [number, number] },
): Promise<string> {
  const bench = workbench(t);
  const project = bench.project('app', {
    'pyproject.toml': '',
    'one.py': `from toolkit_sdk import Endpoint\n\n@Endpoint(name="one", cpu="cpu3c-1-2")\ndef one():\n    "${description}"\n`,
  });
  const { screen } = await onTerminal(
    project,
    { TOOLKIT_HOME: bench.home },
    ['dev', '--port', String(port)],
    [[/Ready at/, '\u0003']],
    size,
  );
  return screen;
}

describe('on a terminal', () => {
  it('breaks sentences between words', async (t) => {
    const bench = workbench(t);
    const { screen } = await onTerminal(bench.folder, { TOOLKIT_HOME: bench.home }, ['cal'], [], [40, 24]);
    const lines = screen
      .replaceAll(/\u001B\[[\d;]*m/g, '')
      .trimEnd()
      .split('\r\n');
    assert.ok(lines.length > 2, screen);
    for (const line of lines) assert.ok(line.length <= 40 && !/^\S.*\s$/.test(line), screen);
    assert.match(lines.join(' '), /Unknown command "cal"\. Did you mean call\?/);
    assert.match(lines.join(' '), /Run "toolkit --help" for\s+usage\./);
  });

  it('dev lists its paths in rows that are not broken in a narrow terminal', async (t) => {
    const description = 'Describes at some length what this one does, and for whom, and why.';
    const screen = await startOfDev(t, { description, port: 28610, size: [60, 24] });
    const lines = screen.replaceAll(/\u001B\[[\d;]*m/g, '').split('\r\n');
    const row = lines.find((line) => line.startsWith('POST /one/runsync'))!;
    assert.match(row, /^POST \/one\/runsync {2}Describes at some .*… {2}queue-based$/);
    assert.ok(row.length <= 60, row);
  });

  it('control characters of a project are not sent to the terminal', async (t) => {
    const description = 'Plain\u001B[2J\u001B]0;title\u0007 \u202Eand\u009B1A clear.';
    const screen = await startOfDev(t, { description, port: 28640, size: [80, 24] });
    assert.match(screen, /Plain\[2J\]0;title and1A clear/);
  });

  it('init prompts for a name when none is given', async (t) => {
    const bench = workbench(t);
    const { code, screen } = await onTerminal(
      bench.folder,
      { TOOLKIT_HOME: bench.home },
      ['init'],
      [[/What is the project called/, 'asked\r']],
    );
    assert.equal(code, 0, screen);
    assert.ok(existsSync(path.join(bench.folder, 'asked/lb_worker.py')));
  });

  for (const [answer, keys, code, text] of [
    ['yes', 'y\r', 0, /^# taken/],
    ['no', 'n\r', 1, /^mine/],
    ['Ctrl+C', '\u0003', 130, /^mine/],
  ] as const) {
    it(`init prompts before it overwrites; ${answer} is respected`, async (t) => {
      const bench = workbench(t);
      const folder = path.join(bench.folder, 'taken');
      mkdirSync(folder);
      writeFileSync(path.join(folder, 'README.md'), 'mine');
      const ran = await onTerminal(
        bench.folder,
        { TOOLKIT_HOME: bench.home },
        ['init', 'taken'],
        [[/Overwrite\?/, keys]],
      );
      assert.equal(ran.code, code, ran.screen);
      assert.match(readFileSync(path.join(folder, 'README.md'), 'utf8'), text);
    });
  }

  it('deploy prompts before it removes an endpoint; no keeps it, yes removes it', async (t) => {
    const bench = workbench(t);
    const endpoint = (name: string): string =>
      `from toolkit_sdk import Endpoint\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, 1))\ndef run(x: int):\n    """Run."""\n`;
    const project = bench.project('pair', {
      'pyproject.toml': '',
      'one.py': endpoint('one'),
      'two.py': endpoint('two'),
    });
    assert.equal((await bench.toolkit(project, ['deploy'])).code, 0);
    rmSync(path.join(project, 'two.py'));
    const names = async (): Promise<string[]> =>
      (await bench.toolkit(project, ['status', '--json']))
        .json<StatusDocument>()
        .endpoints.map(({ name }) => name);

    const kept = await onTerminal(
      project,
      { TOOLKIT_HOME: bench.home },
      ['deploy'],
      [[/Remove two from pair\/production\?/, 'n\r']],
    );
    assert.equal(kept.code, 1, kept.screen);
    assert.deepEqual(await names(), ['one', 'two']);
    const removed = await onTerminal(
      project,
      { TOOLKIT_HOME: bench.home },
      ['deploy'],
      [[/Remove two from pair\/production\?/, 'y\r']],
    );
    assert.equal(removed.code, 0, removed.screen);
    assert.deepEqual(await names(), ['one']);
  });
});
