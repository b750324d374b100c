/** Progress output: on terminals of any width, in pipes, with --quiet, and without colors. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { Transfer } from '../../runtime/cli/progress/transfer.ts';
import { textWidth, truncateText } from '../../runtime/cli/textWidth.ts';
import { onTerminal } from '../setup/terminal.ts';
import { workbench } from '../setup/toolkit.ts';

const worker = (name: string): string => `from toolkit_sdk import Endpoint


@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, 1), dependencies=["idna"])
def ${name}(x: int):
    """Run."""
    return x
`;

describe('texts are cut by their width in cells', () => {
  for (const [text, cells, cut] of [
    ['short', 10, 'short'],
    ['a longer text', 8, 'a longe…'],
    ['日本語のエンドポイント', 9, '日本語の…'],
    ['🚀🚀🚀🚀', 5, '🚀🚀…'],
    ['\u001B[36mcolored text\u001B[39m', 5, '\u001B[36mcolo…\u001B[0m'],
    ['\u001B[36mfits\u001B[39m', 4, '\u001B[36mfits\u001B[39m'],
  ] as const)
    it(JSON.stringify(text), () => {
      assert.equal(truncateText(text, cells), cut);
      assert.ok(textWidth(cut) <= cells);
    });
});

describe('a transfer', () => {
  const moved = (columns: number): string => {
    const transfer = new Transfer('Uploading', 0);
    for (let at = 0; at <= 4_000; at += 100) transfer.update(at * 5_000, 40_000_000, at);
    return stripVTControlCharacters(transfer.draw(columns));
  };

  it('reports sizes, the speed of the last seconds, and the time left', () => {
    assert.match(moved(200), /^Uploading ━{30} 20\.0 MB of 40\.0 MB · 5\.0 MB\/s · 4\.0 s left$/);
  });

  it('fits 80 columns', () => assert.ok(textWidth(moved(80)) < 80, moved(80)));

  it('of unknown length reports what has arrived, and no time left', () => {
    const transfer = new Transfer('Downloading', 0);
    for (let at = 0; at <= 1_000; at += 100) transfer.update(at * 1_000, null, at);
    assert.equal(transfer.draw(80), 'Downloading 1.0 MB · 1.0 MB/s');
  });
});

describe('a deploy', () => {
  const bench = workbench({ after });
  let project: string;
  let env: Record<string, string>;

  before(async () => {
    project = bench.project('shop', { 'pyproject.toml': '', 'w.py': worker('one') });
    env = { TOOLKIT_HOME: bench.home };
    await bench.toolkit(project, ['platform', 'start', '--port', '0']);
  });

  const STAGES = [/✓ Build .*1 endpoint/, /✓ Upload /, /✓ Provision /, /✓ Configure 1 address/];

  it('on a terminal updates stages and endpoints in place, and leaves one line for each', async () => {
    const { code, screen } = await onTerminal(project, env, ['deploy', '--env', 'wide'], [], [200, 50]);
    assert.equal(code, 0, screen);
    const shown = stripVTControlCharacters(screen);
    for (const stage of STAGES) assert.match(shown, stage);
    assert.match(shown, /⠙|⠹|⠸/, 'no spinner was shown');
    assert.match(shown, /✓ one ready \d/);
    assert.match(screen, /\u001B\[32m✓/, 'no colors');
  });

  it('on a terminal of 40 columns keeps every live line within them', async () => {
    const { code, screen } = await onTerminal(project, env, ['deploy', '--env', 'narrow'], [], [40, 20]);
    assert.equal(code, 0, screen);
    const live = screen.split(/\r(?!\n)|\n/).filter((line) => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(line));
    assert.ok(live.length > 0);
    for (const line of live) assert.ok(textWidth(line) < 40, JSON.stringify(line));
  });

  for (const [title, more] of [
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['--no-color', {}],
  ] as const)
    it(`with ${title} moves the cursor but uses no colors`, async () => {
      const args = ['deploy', '--env', 'plain', ...(title.startsWith('--') ? [title] : [])];
      const { screen } = await onTerminal(project, { ...env, ...more }, args);
      assert.doesNotMatch(screen, /\u001B\[\d+m/);
    });

  for (const [title, more] of [
    ['TERM=dumb', { TERM: 'dumb' }],
    ['CI=1', { CI: '1', NO_COLOR: '1' }],
  ] as const)
    it(`with ${title} only writes lines, even on a terminal`, async () => {
      const { code, screen } = await onTerminal(project, { ...env, ...more }, ['deploy', '--env', 'dumb']);
      assert.equal(code, 0);
      assert.doesNotMatch(screen, /\u001B/);
      for (const stage of STAGES) assert.match(screen, stage);
    });

  it('in a pipe writes one line per stage to stderr and the result to stdout, without control characters', async () => {
    const ran = await bench.toolkit(project, ['deploy', '--env', 'pipe']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.doesNotMatch(ran.stdout + ran.stderr, /\u001B|\r/);
    for (const stage of STAGES) assert.match(ran.stderr, stage);
    assert.match(ran.stdout, /shop\/pipe is live/);
  });

  it('with --quiet writes only the result', async () => {
    const ran = await bench.toolkit(project, ['deploy', '--env', 'pipe', '--quiet']);
    assert.equal(ran.stderr, '');
    assert.match(ran.stdout, /is live/);
  });
});
