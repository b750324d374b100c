/** What a watch hands on of a real folder. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { watchProject } from '../../runtime/dev/watchProject.ts';

it('a file that is written again right after a save, as formatters do, is handed on as it is at last', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'toolkit-watch-'));
  const file = path.join(root, 'worker.py');
  writeFileSync(file, 'start');
  let seen = '';
  const close = await watchProject(root, async (places) => {
    if (places.includes('worker.py')) seen = readFileSync(file, 'utf8');
  });
  t.after(async () => {
    await close();
    rmSync(root, { recursive: true });
  });
  for (const [round, pause] of [26, 30, 34, 38, 42, 46, 50, 60].entries()) {
    writeFileSync(file, `saved ${round}`);
    await wait(pause);
    writeFileSync(file, `formatted ${round}`);
    for (const until = Date.now() + 10_000; Date.now() < until; await wait(5)) {
      if (seen === `formatted ${round}`) break;
    }
    assert.equal(seen, `formatted ${round}`);
    await wait(100);
  }
});
