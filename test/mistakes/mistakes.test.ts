/** Each mistake is reported with its location and its fix, before anything is written, started or sent. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { cleanEnvironment, runCommand, writeProject } from '../setup/toolkit.ts';
import { MISTAKES } from './all.ts';
import type { Mistake } from './mistake.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');

interface ErrorDocument {
  error: { code: string; message: string; hint: string | null };
}

/** Path → bytes of every file below a folder. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((file) => path.join(folder, file))
      .map((file) => [file, statSync(file).isFile() ? readFileSync(file, 'latin1') : 'a folder']),
  );
}

describe('each mistake is reported with its location and its fix, before any work', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-mistakes-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const check = async (mistake: Mistake, index: number): Promise<void> => {
    const project = writeProject(path.join(folder, `shop${index}`), {
      'pyproject.toml': '',
      ...mistake.files,
    });
    const home = writeProject(path.join(folder, `home${index}`), { 'cache/.keep': '', ...mistake.home });
    const before = contents(project);
    const homeBefore = readdirSync(home).toSorted();
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: home, ...mistake.env };
    const run = (args: string[]): ReturnType<typeof runCommand> =>
      runCommand(process.execPath, [cli, ...args], { cwd: project, env, input: mistake.input ?? '' });

    const ran = await run([...mistake.command, '--json']);
    assert.equal(ran.code, mistake.exit, ran.stdout + ran.stderr);
    const { error } = ran.json<ErrorDocument>();
    assert.equal(error.code, mistake.code);
    assert.ok(error.message.includes(mistake.place), `no "${mistake.place}" in: ${error.message}`);
    assert.match(error.hint ?? '', mistake.hint);
    assert.ok(!`${ran.stdout}${ran.stderr}`.includes('my-own-key'), 'a key was printed');
    assert.deepEqual(contents(project), before, 'the project was written to');
    assert.deepEqual(readdirSync(home).toSorted(), homeBefore, 'TOOLKIT_HOME was written to');

    if (mistake.diagnostic) {
      const checked = await run(['check']);
      assert.equal(checked.code, 1, checked.stdout);
      assert.match(checked.stdout, new RegExp(`${mistake.place}\\S* .*error\\[${mistake.diagnostic}\\]`));
    }
  };

  for (const [index, mistake] of MISTAKES.entries()) it(mistake.title, () => check(mistake, index));

  it('there are at least sixty, each with its own title', () => {
    assert.ok(MISTAKES.length >= 60, `${MISTAKES.length}`);
    assert.equal(new Set(MISTAKES.map(({ title }) => title)).size, MISTAKES.length);
  });
});
