/** Hover, completion and lenses over a null server's hover, p50 and p95, in a tree of 13,000 files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildNullServer, EditorSession, SERVER } from './editorSession.ts';
import { PLACE, TEXT } from './editorTexts.ts';
import { growTree } from './largeTree.ts';
import { quantile } from './measure.ts';

const ROUNDS = 600;
const WARM_UP = 200;

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
try {
  growTree(folder);
  const file = path.join(folder, 'app', 'typed.py');
  writeFileSync(file, TEXT);
  const uri = pathToFileURL(file).href;
  const empty = await EditorSession.start(await buildNullServer(folder), folder);
  const ours = await EditorSession.start(SERVER, folder);
  await ours.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'python', version: 1, text: TEXT },
  });
  await ours.settled();
  const textDocument = { uri };
  const requests = {
    'null hover': () => empty.connection.sendRequest('textDocument/hover', { textDocument, position: PLACE }),
    hover: () => ours.connection.sendRequest('textDocument/hover', { textDocument, position: PLACE }),
    completion: () =>
      ours.connection.sendRequest('textDocument/completion', { textDocument, position: PLACE }),
    lens: () => ours.connection.sendRequest('textDocument/codeLens', { textDocument }),
  };
  const times = new Map(Object.keys(requests).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const [name, ask] of Object.entries(requests)) {
      const startedAt = performance.now();
      await ask();
      if (round >= WARM_UP) times.get(name)!.push(performance.now() - startedAt);
    }
  }
  for (const [name, own] of times) {
    const p50 = quantile(own, 0.5);
    const p95 = quantile(own, 0.95);
    process.stdout.write(`${name}: p50 ${p50.toFixed(3)} ms, p95 ${p95.toFixed(3)} ms (${ROUNDS} rounds)\n`);
    if (name === 'null hover') continue;
    const base = times.get('null hover')!;
    process.stdout.write(`${name} p50 / null hover: ${(p50 / quantile(base, 0.5)).toFixed(2)} (goal ≤ 2)\n`);
    process.stdout.write(`${name} p95 / null hover: ${(p95 / quantile(base, 0.95)).toFixed(2)} (goal ≤ 4)\n`);
  }
  await ours.stop();
  await empty.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
