/** How commands print diagnostics: with source lines on a terminal, as plain lines in a pipe. */
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { drawDiagnostic } from '../../runtime/cli/drawDiagnostic.ts';
import { textWidth } from '../../runtime/cli/textWidth.ts';
import { onTerminal } from '../setup/terminal.ts';
import { workbench } from '../setup/toolkit.ts';

const source = `from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(3, 1))


@api.post("/process")
def process(x: int):
\t"""Process."""


@api.post("/process")
def again(x: int):
    """Process."""
`;

const plain = `w.py:3:53 error[invalid-workers] workers has a minimum (3) that is greater than its maximum (1).
  → Write workers=(1, 3).
w.py:6:11 error[duplicate-route] The route POST /process is declared 2 times on one endpoint.
    w.py:11:11 The same route is declared here.
  → Give one of them another path or method.
w.py:11:11 error[duplicate-route] The route POST /process is declared 2 times on one endpoint.
    w.py:6:11 The same route is declared here.
  → Give one of them another path or method.
`;

const drawn = `w.py:3:53 error[invalid-workers] workers has a minimum (3) that is greater than its maximum (1).
  3 | api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(3, 1))
    |                                                     ^^^^^^
  → Write workers=(1, 3).

w.py:6:11 error[duplicate-route] The route POST /process is declared 2 times on one endpoint.
   6 | @api.post("/process")
     |           ^^^^^^^^^^
  w.py:11:11 The same route is declared here.
  11 | @api.post("/process")
     |           ----------
  → Give one of them another path or method.
`;

const { contributes } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { contributes: { problemMatchers: { name: string; pattern: { regexp: string } }[] } };
const FINDING = new RegExp(
  contributes.problemMatchers.find(({ name }) => name === 'toolkit-check')!.pattern.regexp,
);

describe('diagnostics', () => {
  const bench = workbench({ after });
  let project: string;

  before(() => {
    project = bench.project('shop', { 'pyproject.toml': '', 'w.py': source });
  });

  const check = async (size: [number, number], env: Record<string, string> = {}, folder = project) => {
    const ran = await onTerminal(folder, { TOOLKIT_HOME: bench.home, ...env }, ['check'], [], size);
    return { ...ran, text: stripVTControlCharacters(ran.screen).replaceAll('\r\n', '\n') };
  };

  it('show source lines, related locations and the fix on a terminal', async () => {
    const { code, text } = await check([140, 60]);
    assert.equal(code, 1);
    assert.ok(text.startsWith(drawn), text);
  });

  it('fit into 80 columns', async () => {
    const { text } = await check([80, 60]);
    for (const line of text.split('\n')) assert.ok(textWidth(line) <= 80, line);
    assert.match(text, /^w\.py:6:11 error\[duplicate-route\] The route .* 2 times\n {4}on one endpoint\.$/m);
  });

  it('are plain lines in a pipe', async () => {
    const { stdout } = await bench.toolkit(project, ['check']);
    assert.equal(stdout, `${plain}\n3 errors, 0 warnings in 1 endpoint, 1 file checked.\n`);
  });

  it('stay on one line in a pipe if a name has a line break', async () => {
    const broken = bench.project('broken', {
      'a\nb.py': 'from toolkit_sdk import Endpoint\nx = Endpoint(name="c\\nd", cpu="cpu3c-1-2")\n',
    });
    const { stdout } = await bench.toolkit(broken, ['check']);
    assert.match(stdout, /^a␊b\.py:2:\d+ error\[invalid-name\] .*c␊d.*\n {2}→ /m);
  });

  it('have no colors with NO_COLOR', async () => {
    const { screen } = await check([140, 60], { NO_COLOR: '1' });
    assert.ok(screen.replaceAll('\r\n', '\n').startsWith(drawn), screen);
  });

  it("are each matched once by VS Code's problem matcher, with the whole message", async () => {
    const { text } = await check([40, 60], { TERM_PROGRAM: 'vscode' });
    const found = text.split('\n').flatMap((line) => {
      const [, file, row, column, severity, code, message] = FINDING.exec(line) ?? [];
      return file === undefined ? [] : [`${file}:${row}:${column} ${severity}[${code}] ${message}`];
    });
    assert.deepEqual(
      found,
      plain.split('\n').filter((line) => line.startsWith('w.py')),
    );
  });

  it('have no source lines if the file cannot be read', async () => {
    const folder = bench.project('unreadable', { 'w.py': source });
    symlinkSync('nowhere.py', path.join(folder, 'settings.py'));
    const { text } = await check([140, 60], {}, folder);
    assert.match(text, /^settings\.py:1:1 error\[unreadable-file\] .*\n {2}→ /m);
  });

  it('print no passwords of addresses', async () => {
    const line = 'own @ git+https://me:p@s3cret@example.org/own.git';
    const folder = bench.project('secret', {
      'w.py': 'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="a")\ndef a():\n    """A."""\n',
      'requirements.txt': `${line}\n`,
    });
    const { text } = await check([140, 60], {}, folder);
    assert.ok(text.includes('1 | own @ git+https://***********@example.org/own.git'), text);
    const { stdout } = await bench.toolkit(folder, ['check', '--json']);
    assert.ok(!`${text}${stdout}`.includes('s3cret'), stdout);
  });

  it('print no control character of the project', async () => {
    const hostile = bench.project('hostile', {
      'w.py': `from toolkit_sdk import Endpoint\nx = Endpoint(name="a\u001B[8mb\u001B]0;t\u0007\u009B2J\u202E", cpu="cpu3c-1-2")\n`,
    });
    const { screen } = await check([140, 60], { NO_COLOR: '1' }, hostile);
    assert.match(screen, /2 \| x = Endpoint\(name="a␛\[8mb␛\]0;t␇�2J�"/);
    assert.match(screen, /error\[invalid-name\] "a␛\[8mb␛\]0;t␇�2J�"/);
    assert.doesNotMatch(screen, /(?![\r\n])[\p{Cc}\u202E]/u);
  });

  it('show source lines in list as well', async () => {
    const { screen } = await onTerminal(
      project,
      { TOOLKIT_HOME: bench.home, NO_COLOR: '1' },
      ['list'],
      [],
      [140, 60],
    );
    assert.ok(screen.replaceAll('\r\n', '\n').includes(drawn), screen);
  });

  for (const command of ['build', 'deploy']) {
    it(`show source lines when they stop ${command} on a terminal`, async () => {
      const env = { TOOLKIT_HOME: bench.home, NO_COLOR: '1' };
      const { code, screen } = await onTerminal(project, env, [command], [], [140, 60]);
      const text = screen.replaceAll('\r\n', '\n');
      assert.equal(code, 1);
      assert.ok(text.includes(drawn), text);
      assert.match(text, /\n\nerror: The project has 3 errors\.\n$/);
    });

    it(`are a list when they stop ${command} in a pipe`, async () => {
      const { stderr } = await bench.toolkit(project, [command]);
      assert.match(stderr, /^error: The project has 3 errors:\n {2}w\.py:3:53: workers has a minimum/m);
      assert.doesNotMatch(stderr, /\^/);
    });
  }

  it('show a dynamic value as an error of build, and only the first ten of many', async () => {
    const declarations = Array.from(
      { length: 12 },
      (_, at) =>
        `@Endpoint(name="e${at}", cpu="cpu3c-1-2", workers=(0, len(__name__)))\ndef f${at}():\n    "Run."\n`,
    );
    const many = bench.project('many', {
      'w.py': `from toolkit_sdk import Endpoint\n${declarations.join('')}`,
    });
    const env = { TOOLKIT_HOME: bench.home, NO_COLOR: '1' };
    const { screen } = await onTerminal(many, env, ['build'], [], [140, 60]);
    assert.equal(screen.match(/error\[dynamic-value\]/g)?.length, 10, screen);
    assert.match(screen, /\r\nerror: The project has 12 errors\.\r\n {2}→ Run "toolkit check".\r\n$/);
  });

  it('are shown without source when the file has been removed', () => {
    const start = { line: 2, character: 0 };
    const drawing = drawDiagnostic(
      {
        code: 'invalid-workers',
        severity: 'error',
        message: 'Wrong.',
        file: 'gone.py',
        range: { start, end: start },
        related: [{ file: 'gone.py', range: { start, end: start }, message: 'Here.' }],
        fix: 'Repair it.',
      },
      { columns: 80, linesOf: () => [] },
    );
    assert.equal(
      stripVTControlCharacters(drawing),
      'gone.py:3:1 error[invalid-workers] Wrong.\n  gone.py:3:1 Here.\n  → Repair it.',
    );
  });
});
