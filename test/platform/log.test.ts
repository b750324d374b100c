import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { PLATFORM_LIMITS } from '../../runtime/contract/limits.ts';
import { HOME_FILES } from '../../runtime/contract/stateManager.ts';
import { openLog } from '../../runtime/platform/log.ts';

interface Line {
  msg: string;
  line?: number;
}

/** The empty log of a home. */
function newLog(t: TestContext) {
  const home = mkdtempSync(path.join(tmpdir(), 'toolkit-log-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const file = path.join(home, HOME_FILES.platformLog);
  mkdirSync(path.dirname(file));
  return { home, file };
}

function read(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line);
}

test('the log and one older log stay within the limit and keep the newest lines', (t) => {
  const { home, file } = newLog(t);
  const log = openLog(home);
  for (let line = 1; line <= 40_000; line += 1) log.info({ line, filling: 'x'.repeat(900) }, 'a line');
  assert.deepEqual(readdirSync(path.dirname(file)).toSorted(), ['platform.log', 'platform.log.1']);
  for (const each of [file, `${file}.1`]) {
    assert.ok(statSync(each).size <= PLATFORM_LIMITS.logBytes);
    assert.equal(statSync(each).mode & 0o777, 0o600);
  }
  const numbers = [...read(`${file}.1`), ...read(file)].map(({ line }) => line!);
  assert.ok(numbers.length > 10_000);
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => 40_000 - numbers.length + 1 + index),
  );
});

test('a killed platform loses no line, and its standard error continues in the log after a rotation', (t) => {
  const { home, file } = newLog(t);
  const output = openSync(file, 'a', 0o600);
  const program = path.join(import.meta.dirname, '../setup/chattyLog.ts');
  const { signal } = spawnSync(process.execPath, [program, home, '15000'], {
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  assert.equal(signal, 'SIGKILL');
  const lines = [...read(`${file}.1`), ...read(file)];
  assert.deepEqual(lines.at(-1), { msg: 'the last word' });
  assert.deepEqual(
    lines.slice(0, -1).map(({ line }) => line),
    Array.from({ length: 15_000 }, (_, index) => index + 1),
  );
});
