/**
 * Saves in random order, some of them broken, under a steady stream of requests: each response comes from
 * good code, never from older code than before, and in the end dev equals one that has just started.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DevSession } from '../dev/devSession.ts';
import { workbench } from '../setup/toolkit.ts';

const SAVES = 200;
/** Longest pause between two saves, milliseconds. */
const PAUSE_MS = 400;

type File = 'one.py' | 'two.py' | 'web.py' | 'helper.py';

/** The text of a file in its n-th version. */
const TEXTS: Record<File, (version: number) => string> = {
  'one.py': (version) =>
    `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="one", cpu="cpu3c-1-2", workers=1)\ndef one():\n    return [${version}]\n`,
  'two.py': (version) =>
    `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="two", cpu="cpu3c-1-2", workers=1)\ndef two():\n    import helper\n\n    return [${version}, helper.VERSION]\n`,
  'web.py': (version) =>
    `from toolkit_sdk import Endpoint\n\nimport helper\n\napi = Endpoint(name="web", cpu="cpu3c-1-2", workers=1)\n\n\n@api.get("/")\ndef web():\n    return [${version}, helper.VERSION]\n`,
  'helper.py': (version) => `VERSION = ${version}\n`,
};

/** The files whose versions are in an endpoint's response. */
const ANSWERS = { one: ['one.py'], two: ['two.py', 'helper.py'], web: ['web.py', 'helper.py'] } as const;
type Name = keyof typeof ANSWERS;

const BROKEN: ((text: string) => string)[] = [
  (text) => text.replace('VERSION =', 'VERSION = (').replace('):', '(:'),
  (text) => `${text}\nraise RuntimeError("not this one")\n`,
  (text) => `import no_such_module\n${text}`,
];

it(`${SAVES} saves under a stream of requests`, async (t) => {
  const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 30));
  t.diagnostic(`TEST_SEED=${seed}`);
  const below = randomNumbers(seed);
  const bench = workbench({ after });
  const files = Object.keys(TEXTS) as File[];
  const project = bench.project('app', {
    'pyproject.toml': '',
    ...Object.fromEntries(files.map((file) => [file, TEXTS[file](0)])),
  });
  const dev = await DevSession.start(project, bench.home);

  /** The good versions written for each file, the newest last. */
  const good: Record<File, number[]> = { 'one.py': [0], 'two.py': [0], 'web.py': [0], 'helper.py': [0] };

  async function ask(name: Name, from = dev): Promise<number[]> {
    if (name !== 'web') return (await from.run(`/${name}`, {})) as number[];
    const { status, text } = await from.request('GET', '/web/');
    assert.equal(status, 200, text);
    return JSON.parse(text) as number[];
  }

  const ended = new AbortController();
  let answered = 0;
  async function stream(name: Name): Promise<void> {
    const least = ANSWERS[name].map(() => 0);
    while (!ended.signal.aborted) {
      const versions = await ask(name);
      answered += 1;
      for (const [at, file] of ANSWERS[name].entries()) {
        const version = versions[at]!;
        assert.ok(
          good[file].includes(version),
          `${name}: ${file} has no good version ${version}, seed ${seed}`,
        );
        assert.ok(
          version >= least[at]!,
          `${name}: ${file} went back from ${least[at]} to ${version}, seed ${seed}`,
        );
        least[at] = version;
      }
    }
  }

  /** Writes a file like editors do: in place, or by replacing it. */
  function save(file: string, text: string): void {
    const place = path.join(project, file);
    if (below(2) === 0) return writeFileSync(place, text);
    writeFileSync(`${place}~`, text);
    renameSync(`${place}~`, place);
  }

  function saveSomething(version: number): void {
    const kind = below(10);
    const file = files[below(files.length)]!;
    if (kind < 5) {
      good[file].push(version);
      save(file, TEXTS[file](version));
    } else if (kind < 8) {
      // A function that imports the helper fails with it, as it does when deployed.
      const ways = file === 'helper.py' ? 1 : BROKEN.length;
      save(file, BROKEN[below(ways)]!(TEXTS[file](version)));
    } else if (kind === 8) save(file, TEXTS[file](good[file].at(-1)!));
    else {
      // Like a switch of branches: many files at once, including endpoints.
      const folder = path.join(project, 'branch');
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      for (let at = 0; at < 100; at += 1) save(`branch/file_${at}.py`, `VALUE = ${version}\n`);
      save('branch/extra.py', TEXTS['one.py'](version).replace('"one"', '"extra"'));
    }
  }

  for (const name of Object.keys(ANSWERS) as Name[]) await ask(name);
  const streams = (Object.keys(ANSWERS) as Name[]).map(stream);
  const failed = Promise.race(streams);
  failed.catch(() => ended.abort());
  for (let version = 1; version <= SAVES && !ended.signal.aborted; version += 1) {
    saveSomething(version);
    await sleep(below(PAUSE_MS));
  }

  const last = SAVES + 1;
  rmSync(path.join(project, 'branch'), { recursive: true, force: true });
  for (const file of files) {
    good[file].push(last);
    save(file, TEXTS[file](last));
  }
  const names = Object.keys(ANSWERS) as Name[];
  const isNewest = async () =>
    (await Promise.all(names.map((name) => ask(name)))).flat().every((one) => one === last);
  const patience = Date.now() + 120_000;
  while (!ended.signal.aborted && !(await isNewest()))
    assert.ok(Date.now() < patience, 'the newest code never serves');
  ended.abort();
  await Promise.all(streams);
  t.diagnostic(`${answered} requests were answered`);

  const fresh = await DevSession.start(project, bench.home);
  for (const name of names) assert.deepEqual(await ask(name, fresh), await ask(name));
  const state = async (of: DevSession) => JSON.parse((await of.request('GET', '/')).text) as unknown;
  assert.deepEqual(await state(dev), await state(fresh));
  assert.equal(await dev.stop(), 0);
  assert.equal(await fresh.stop(), 0);
});

/** Integers below a limit, always the same for a seed (mulberry32). */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
