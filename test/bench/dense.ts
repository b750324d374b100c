/**
 * 600 files of two endpoints each: hovers while a name is edited over a null server's, `check` over a bare
 * parse, and how often one check asks the file system about each path.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ASKED, denseText, EDITED, growDenseTree } from './denseTree.ts';
import { buildNullServer, EditorSession, SERVER } from './editorSession.ts';
import { command, compare, quantile } from './measure.ts';

const SECONDS = 30;
const ASK_EVERY = 20;
const EDIT_EVERY = 1_000;

/** Loaded into a command: counts its calls of `statSync`. */
const COUNT = `
const fs = require('node:fs');
const { statSync } = fs;
let calls = 0;
fs.statSync = (...given) => { calls += 1; return statSync(...given); };
process.once('exit', () => fs.writeFileSync(process.env.CALLS, String(calls)));
`;

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const outside = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const home = path.join(outside, 'home');
const env = { ...process.env, TOOLKIT_HOME: home, TOOLKIT_PYTHON: '', VIRTUAL_ENV: '' };
try {
  const files = growDenseTree(folder);
  await editor();
  await commands(files);
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(outside, { recursive: true, force: true });
}

async function editor(): Promise<void> {
  const empty = await EditorSession.start(await buildNullServer(outside), folder);
  const ours = await EditorSession.start(SERVER, folder);
  const times = { ours: await hovers(ours), empty: await hovers(empty) };
  const p95 = { ours: quantile(times.ours, 0.95), empty: quantile(times.empty, 0.95) };
  const longest = Math.max(...times.ours);
  process.stdout.write(
    `hover while names are edited: p50 ${quantile(times.ours, 0.5).toFixed(2)} ms, p95 ${p95.ours.toFixed(2)} ms, longest ${longest.toFixed(1)} ms; null server: p95 ${p95.empty.toFixed(2)} ms, longest ${Math.max(...times.empty).toFixed(1)} ms\n`,
  );
  process.stdout.write(`dense hover p95 / null hover: ${(p95.ours / p95.empty).toFixed(2)} (goal ≤ 4)\n`);
  process.stdout.write(
    `longest wait for a hover, dense, ${SECONDS} s: ${longest.toFixed(1)} ms (goal ≤ 16)\n`,
  );
  await ours.stop();
  await empty.stop();
}

/** The duration of each hover in one file while another one is edited, milliseconds. */
async function hovers(session: EditorSession): Promise<number[]> {
  const texts = new Map([
    [EDITED, denseText(0)],
    [ASKED, denseText(1)],
  ]);
  const uris = new Map([...texts.keys()].map((file) => [file, pathToFileURL(path.join(folder, file)).href]));
  for (const [file, text] of texts) {
    await session.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: uris.get(file)!, languageId: 'python', version: 1, text },
    });
  }
  const position = placeOf(texts.get(ASKED)!, 'Endpoint(name');
  const start = placeOf(texts.get(EDITED)!, '-0", cpu');
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  await wait(2_000);
  const begun = performance.now();
  let edits = 0;
  for (let at = 0; performance.now() - begun < SECONDS * 1_000; at += 1) {
    await wait(Math.max(0, begun + at * ASK_EVERY - performance.now()));
    if (performance.now() - begun >= (edits + 0.5) * EDIT_EVERY) {
      edits += 1;
      const isLonger = edits % 2 === 1;
      await session.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uris.get(EDITED)!, version: edits + 1 },
        contentChanges: [
          {
            range: { start, end: { ...start, character: start.character + (isLonger ? 0 : 1) } },
            text: isLonger ? 'x' : '',
          },
        ],
      });
    }
    const askedAt = performance.now();
    const answer = session.connection.sendRequest('textDocument/hover', {
      textDocument: { uri: uris.get(ASKED)! },
      position,
    });
    asked.push(answer.then(() => void times.push(performance.now() - askedAt)));
  }
  await Promise.all(asked);
  return times;
}

async function commands(files: readonly string[]): Promise<void> {
  const list = path.join(outside, 'files');
  writeFileSync(list, files.map((file) => path.join(folder, file)).join('\n'));
  const bare = path.join(import.meta.dirname, 'bareParse.ts');
  await compare(
    'dense: toolkit check / bare parse',
    3,
    {
      name: 'check',
      prepare: () => rmSync(home, { recursive: true, force: true }),
      run: () => command(process.execPath, [cli, 'check'], { cwd: folder, env }),
    },
    { name: 'bare parse', run: () => command(process.execPath, [bare, list]) },
  );
  const count = path.join(outside, 'count.cjs');
  const calls = path.join(outside, 'calls');
  writeFileSync(count, COUNT);
  rmSync(home, { recursive: true, force: true });
  command(process.execPath, ['--require', count, cli, 'check'], {
    cwd: folder,
    env: { ...env, CALLS: calls },
  });
  const perFile = Number(readFileSync(calls, 'utf8')) / files.length;
  process.stdout.write(`statSync calls per file of one check: ${perFile.toFixed(2)} (goal ≤ 3)\n`);
}

function placeOf(text: string, words: string) {
  const before = text.slice(0, text.indexOf(words)).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}
