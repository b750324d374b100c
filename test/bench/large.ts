/**
 * One file of 5.4 MB with 44,000 functions: `check` over a bare parse, its memory, and how long a hover in
 * another file waits while the large one is read and edited.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { EditorSession, SERVER } from './editorSession.ts';
import { command, compare } from './measure.ts';

const FUNCTIONS = 44_000;
const SECONDS = 15;
const ASK_EVERY = 20;
const EDIT_EVERY = 1_000;
const SMALL =
  'from toolkit_sdk import Endpoint\n\n@Endpoint(name="small", cpu="cpu3c-1-2")\ndef small(x: int):\n    """Small."""\n    return x\n';

/** Loaded into a command: writes its peak memory, bytes. */
const PEAK = `
process.once('exit', () => {
  require('node:fs').writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS * 1024));
});
`;

const LARGE = largeText();

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const outside = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const env = { ...process.env, TOOLKIT_HOME: path.join(outside, 'home'), TOOLKIT_PYTHON: '', VIRTUAL_ENV: '' };
try {
  writeFileSync(path.join(folder, 'pyproject.toml'), '[project]\nname = "large"\n');
  writeFileSync(path.join(folder, 'small.py'), SMALL);
  writeFileSync(path.join(folder, 'large.py'), LARGE);
  await editor();
  await commands();
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(outside, { recursive: true, force: true });
}

function largeText(): string {
  const functions = Array.from(
    { length: FUNCTIONS },
    (_, at) =>
      `def function_${at}(first: int, second: str = "x") -> int:\n    """Adds."""\n    value = first + ${at}\n    return helper_${at % 7}(value, second)\n\n`,
  );
  return `from toolkit_sdk import Endpoint\n\n${functions.join('')}@Endpoint(name="large", cpu="cpu3c-1-2")\ndef large(x: int):\n    """Large."""\n    return x\n`;
}

async function commands(): Promise<void> {
  const list = path.join(outside, 'files');
  writeFileSync(list, path.join(folder, 'large.py'));
  const forget = () => rmSync(env.TOOLKIT_HOME, { recursive: true, force: true });
  await compare(
    'large: toolkit check / bare parse',
    3,
    {
      name: 'check',
      prepare: forget,
      run: () => command(process.execPath, [cli, 'check'], { cwd: folder, env }),
    },
    {
      name: 'bare parse',
      run: () => command(process.execPath, [path.join(import.meta.dirname, 'bareParse.ts'), list]),
    },
    5,
  );
  forget();
  const more = (peakOf('check') - peakOf('--version')) / 1e6;
  process.stdout.write(`large: memory of check above --version: ${more.toFixed(0)} MB (goal ≤ 300)\n`);
}

function peakOf(argument: string): number {
  const hook = path.join(outside, 'peak.cjs');
  const peak = path.join(outside, 'peak');
  writeFileSync(hook, PEAK);
  command(process.execPath, ['--require', hook, cli, argument], { cwd: folder, env: { ...env, PEAK: peak } });
  return Number(readFileSync(peak, 'utf8'));
}

/** Hovers in the small file while the large one is open and edited. */
async function editor(): Promise<void> {
  const session = await EditorSession.start(SERVER, folder);
  const uriOf = (file: string) => pathToFileURL(path.join(folder, file)).href;
  const open = (file: string, text: string) =>
    session.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: uriOf(file), languageId: 'python', version: 1, text },
    });
  await open('small.py', SMALL);
  await session.settled();
  let longest = 0;
  const asked: Promise<void>[] = [];
  const begun = performance.now();
  let edits = 0;
  for (let at = 0; performance.now() - begun < SECONDS * 1_000; at += 1) {
    await wait(Math.max(0, begun + at * ASK_EVERY - performance.now()));
    if (at === 50) await open('large.py', LARGE);
    if (at > 50 && performance.now() - begun >= (edits + 3) * EDIT_EVERY) {
      edits += 1;
      const place = { line: 1_000, character: 0 };
      await session.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uriOf('large.py'), version: edits + 1 },
        contentChanges: [{ range: { start: place, end: place }, text: '\n' }],
      });
    }
    const askedAt = performance.now();
    const answer = session.connection.sendRequest('textDocument/hover', {
      textDocument: { uri: uriOf('small.py') },
      position: { line: 2, character: 5 },
    });
    asked.push(answer.then(() => void (longest = Math.max(longest, performance.now() - askedAt))));
  }
  await Promise.all(asked);
  process.stdout.write(`large: longest wait for a hover elsewhere: ${longest.toFixed(0)} ms (goal ≤ 50)\n`);
  await session.stop();
}
