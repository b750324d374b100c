/** Which changes of a real folder a watch reports. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { watchProject } from '../../runtime/dev/watchProject.ts';

it('a file that is rewritten right after a save, as formatters do, is reported in its last state', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'toolkit-watch-'));
  const file = path.join(root, 'worker.py');
  writeFileSync(file, 'start');
  let seen = '';
  const close = await watchProject(
    root,
    async (places) => {
      if (places.includes('worker.py')) seen = readFileSync(file, 'utf8');
    },
    assert.fail,
  );
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

it('reports the files of a burst together', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'toolkit-watch-'));
  const handed: (readonly string[])[] = [];
  const close = await watchProject(root, async (places) => void handed.push(places), assert.fail);
  t.after(async () => {
    await close();
    rmSync(root, { recursive: true });
  });
  const files = Array.from({ length: 50 }, (_, number) => `module_${String(number).padStart(2, '0')}.py`);
  for (const file of files) writeFileSync(path.join(root, file), 'saved');
  for (const until = Date.now() + 10_000; Date.now() < until && handed.flat().length < 50; ) await wait(5);
  assert.deepEqual(
    handed.map((places) => [...places].sort()),
    [files],
  );
});

it('waits for the content of a save that empties the file first, and reports a file that stays empty', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'toolkit-watch-'));
  const file = path.join(root, 'worker.py');
  writeFileSync(file, 'start');
  const seen: string[] = [];
  const close = await watchProject(
    root,
    async (places) => {
      if (places.includes('worker.py')) seen.push(readFileSync(file, 'utf8'));
    },
    assert.fail,
  );
  t.after(async () => {
    await close();
    rmSync(root, { recursive: true });
  });
  const arrives = async (text: string) => {
    for (const until = Date.now() + 10_000; Date.now() < until && seen.at(-1) !== text; ) await wait(5);
    assert.equal(seen.at(-1), text);
  };
  writeFileSync(file, '');
  await wait(120);
  writeFileSync(file, 'saved');
  await arrives('saved');
  assert.deepEqual([...new Set(seen)], ['saved']);
  writeFileSync(file, '');
  await arrives('');
});

it('names a folder that cannot be watched, and watches the others', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'toolkit-watch-'));
  const warnings: string[] = [];
  const seen = new Set<string>();
  symlinkSync('before.py', path.join(root, 'before.py'));
  const close = await watchProject(
    root,
    async (places) => {
      for (const place of places) seen.add(place);
    },
    (message) => warnings.push(message),
  );
  t.after(async () => {
    await close();
    rmSync(root, { recursive: true });
  });
  symlinkSync('later.py', path.join(root, 'later.py'));
  const arrives = async (condition: () => boolean) => {
    for (const until = Date.now() + 10_000; Date.now() < until && !condition(); ) await wait(5);
    assert.ok(condition(), JSON.stringify([...seen, ...warnings]));
  };
  await arrives(() => warnings.length === 2);
  assert.match(warnings[0]!, /^Cannot watch .*before\.py \(ELOOP\).* remove the link that points to itself/);
  assert.match(warnings[1]!, /later\.py/);
  writeFileSync(path.join(root, 'worker.py'), 'saved');
  await arrives(() => seen.has('worker.py'));
});

it('does not follow a link that leads back to a folder around it', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'toolkit-watch-'));
  for (const name of ['one', 'two']) mkdirSync(path.join(root, name));
  symlinkSync('..', path.join(root, 'one/root'));
  symlinkSync('../two', path.join(root, 'one/two'));
  symlinkSync('../one', path.join(root, 'two/one'));
  const seen = new Set<string>();
  const close = await watchProject(
    root,
    async (places) => {
      for (const place of places) seen.add(place);
    },
    assert.fail,
  );
  t.after(async () => {
    await close();
    rmSync(root, { recursive: true });
  });
  writeFileSync(path.join(root, 'two/worker.py'), 'saved');
  for (const until = Date.now() + 10_000; Date.now() < until && seen.size < 2; ) await wait(5);
  await wait(200);
  assert.deepEqual([...seen].sort(), ['one/two/worker.py', 'two/worker.py']);
});
