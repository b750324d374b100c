/**
 * Memory of the server at 13,000 files over a null server's, growth after 10,000 edits, and the longest block
 * of the event loop.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildNullServer, EditorSession, SERVER } from './editorSession.ts';
import { PLACE, TEXT } from './editorTexts.ts';
import { growTree } from './largeTree.ts';

const EDITS = 10_000;
const MB = 1_000_000;

/**
 * Loaded into the server: the longest CPU time of one turn of the event loop, while the watch is on. Other
 * work on the machine does not count.
 */
const WATCH = `
const { writeFileSync } = require('node:fs');
const spent = () => { const { user, system } = process.threadCpuUsage(); return user + system; };
let isOn = false, before = 0, longest = 0;
const turn = () => {
  const now = spent();
  if (isOn) longest = Math.max(longest, now - before);
  before = now;
  setImmediate(turn);
};
turn();
process.on('SIGUSR2', () => { isOn = !isOn; before = spent(); });
process.once('exit', () => writeFileSync(process.env.BLOCKS, String(longest / 1e3)));
`;

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const outside = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
try {
  growTree(folder);
  const file = path.join(folder, 'app', 'typed.py');
  const uri = pathToFileURL(file).href;
  const watch = path.join(outside, 'watch.cjs');
  writeFileSync(watch, WATCH);
  process.env['BLOCKS'] = path.join(outside, 'blocks');

  const empty = await EditorSession.start(await buildNullServer(outside), folder);
  const ours = await EditorSession.start(SERVER, folder);
  await quiet();
  const [base, own] = [empty.memory(), ours.memory()];
  process.stdout.write(`server: ${(own / MB).toFixed(1)} MB; null server: ${(base / MB).toFixed(1)} MB\n`);
  process.stdout.write(
    `server memory at 13,000 files over the null server: ${((own - base) / MB).toFixed(1)} MB (goal ≤ 40)\n`,
  );

  writeFileSync(file, TEXT);
  await ours.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 1 }] });
  await ours.settled();
  await ours.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'python', version: 1, text: TEXT },
  });
  // The first edits allocate memory that later ones reuse.
  await type(ours, uri, EDITS, 0);
  const before = ours.memory();
  process.stdout.write(
    `server after the first ${EDITS.toLocaleString('en')} edits: ${(before / MB).toFixed(1)} MB\n`,
  );
  await type(ours, uri, EDITS, EDITS);
  const drift = ours.memory() - before;
  process.stdout.write(
    `drift of memory per ${EDITS.toLocaleString('en')} edits: ${(drift / MB).toFixed(1)} MB (goal ≤ 5)\n`,
  );
  await ours.stop();
  await empty.stop();

  // The parse of the opened file takes as long as it takes, so it does not count.
  rmSync(file);
  const watched = await EditorSession.start(SERVER, folder, ['--require', watch]);
  watched.signal();
  writeFileSync(file, TEXT);
  await watched.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'python', version: 1, text: TEXT },
  });
  await watched.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri, type: 1 }],
  });
  await watched.settled();
  watched.signal();
  await type(watched, uri, 500, 0);
  await watched.stop();
  const longest = Number(readFileSync(process.env['BLOCKS'], 'utf8'));
  process.stdout.write(
    `longest block of the event loop, first index and 500 edits: ${longest.toFixed(1)} ms (goal ≤ 16)\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(outside, { recursive: true, force: true });
}

/**
 * Types a digit and removes it again, the given number of times, and waits until the server has processed
 * everything.
 */
async function type(session: EditorSession, uri: string, count: number, from: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const isLonger = at % 2 === 0;
    const end = { ...PLACE, character: PLACE.character + (isLonger ? 0 : 1) };
    await session.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: from + at + 2 },
      contentChanges: [{ range: { start: PLACE, end }, text: isLonger ? '2' : '' }],
    });
    if (at % 100 === 99) await session.settled();
  }
  await quiet();
}

/** Until idle servers have released unused memory. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3_000));
}
