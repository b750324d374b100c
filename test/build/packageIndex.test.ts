/** What a build takes from an index over HTTP. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { DEMO, indexed } from './indexedProject.ts';
import { type PackageIndex, packageIndex } from './packageIndex.ts';
import { queueWorker, readArchived } from './projects.ts';

describe('what an index offers', () => {
  test('is fetched with a total that is known before the first byte', async (t) => {
    const { project, index, env } = await indexed(t, ['demo', 'second']);
    index.add({ name: 'second', files: { 'second.py': 'y = 2\n'.repeat(1000) } });
    const { events } = await project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    const bytes = events.filter((event) => event.type === 'bytes');
    const fetched = bytes.filter(({ label }) => label === 'Downloading 2 wheels');
    assert.equal(fetched[0]!.done, 0);
    const totals = new Set(fetched.map(({ total }) => total));
    assert.deepEqual([...totals], [fetched.at(-1)!.done], 'the total never changes');
    const packed = bytes.filter(({ label }) => label === 'Packing 2 packages');
    assert.deepEqual([packed[0]!.done, packed[0]!.total], [0, [...totals][0]]);
    for (const run of [fetched, packed]) {
      const done = run.map((event) => event.done);
      assert.deepEqual(
        done,
        done.toSorted((a, b) => a - b),
        'the progress never goes back',
      );
    }
  });

  test('is chosen like installers choose: of several wheels for Linux x86_64, the one for the newest glibc', async (t) => {
    const { project, index, env } = await indexed(t, ['fast']);
    const offer = (tag: string) => index.add({ name: 'fast', tag, files: { 'fast.py': `TAG = '${tag}'\n` } });
    const tags = [
      'manylinux2014_x86_64',
      'manylinux_2_27_x86_64',
      'manylinux_2_28_x86_64',
      'manylinux_2_5_x86_64',
    ];
    for (const tag of [...tags.map((platform) => `py3-none-${platform}`), 'py3-none-any']) offer(tag);
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    const taken = async () => {
      const { artifact } = await project.build(options);
      return readArchived(artifact, '_toolkit/dependencies/all/fast.py');
    };
    const best = "TAG = 'py3-none-manylinux_2_28_x86_64'\n";
    assert.equal(await taken(), best);
    rmSync(path.join(project.home, 'cache/parts'), { recursive: true });
    assert.equal(await taken(), best, 'and from the lock again');
  });

  test('can have extras, markers and a direct address', async (t) => {
    const { project, index, env } = await indexed(t, [
      'outer[fast]',
      "absent; python_version < '3.8'",
      "absent-too; sys_platform == 'win32'",
    ]);
    index.add({ name: 'outer', requires: ["demo; extra == 'fast'"], files: { 'outer.py': '' } });
    index.add({ name: 'third', files: { 'third.py': '' } });
    project.write({ 'requirements.txt': `third @ ${index.address('third-1.0-py3-none-any.whl')}\n` });
    const { artifact } = await project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    assert.equal(readArchived(artifact, 'requirements.txt'), 'demo==1.0\nouter==1.0\nthird==1.0\n');
  });

  test("is asked for the project's own optional groups when a requirement names them", async (t) => {
    const { project, index, env } = await indexed(t, []);
    index.add({ name: 'second', files: { 'second.py': '' } });
    const pyproject = (more: string) =>
      `[project]\nname = "My.App"\nversion = "1"\n${more}\n[project.optional-dependencies]\ngpu = ["demo"]\nall = ["my-app[gpu]", "second"]\n[tool.toolkit]\npython = "3.11"\n`;
    project.write({ 'pyproject.toml': pyproject(''), 'requirements.txt': '-e .[all]\n' });
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    const locked = async () => readArchived((await project.build(options)).artifact, 'requirements.txt');
    assert.equal(await locked(), 'demo==1.0\nsecond==1.0\n');
    project.write({
      'pyproject.toml': pyproject('dependencies = ["my_app[gpu]"]'),
      'requirements.txt': '-e .\n',
    });
    assert.equal(await locked(), 'demo==1.0\n');
    project.write({ 'requirements.txt': '.[nothing]\n' });
    await assert.rejects(project.build(options), {
      code: 'PROJECT_HAS_ERRORS',
      message: 'requirements.txt:1:1: pyproject.toml has no extra "nothing".',
      hint: 'Existing extras: gpu, all.',
    });
    project.write({ 'pyproject.toml': '[project]\nname = "app"\nversion = "1"\n' });
    await assert.rejects(project.build(options), {
      code: 'PROJECT_HAS_ERRORS',
      hint: 'Add it under [project.optional-dependencies], or remove the line.',
    });
  });

  test('is reported once if a version is yanked or does not have a required extra', async (t) => {
    const { project, index, env } = await indexed(t, ['demo[fsat]', 'pulled==1.0', 'both==1.0']);
    index.add({ name: 'pulled' }, 'it deletes files');
    for (const version of ['1.0', '2.0']) index.add({ name: 'both', version });
    project.write({ 'two.py': queueWorker('two', 'dependencies=["pulled==1.0", "both==2.0"]') });
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    const warnings = async () =>
      (await project.build(options)).events.flatMap((event) =>
        event.type === 'warning' && !/conflict/.test(event.message) ? [event.message] : [],
      );
    assert.deepEqual((await warnings()).toSorted(), [
      'The package demo==1.0 does not have an extra named fsat.',
      'pulled==1.0 is yanked (reason: "it deletes files").',
    ]);
    assert.deepEqual(await warnings(), []);
  });

  test('is not asked again by a build from the lock', async (t) => {
    const { project, index, env } = await indexed(t, ['demo']);
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    const first = await project.build(options);
    index.requests.length = 0;
    rmSync(path.join(project.home, 'cache/parts'), { recursive: true });
    assert.equal((await project.build(options)).sha256, first.sha256);
    assert.deepEqual(index.requests, []);
  });

  test('is not needed for what an earlier build looked up, which is reported once', async (t) => {
    const { project, index, env } = await indexed(t, ['demo']);
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    const { sha256 } = await project.build(options);
    index.close();
    rmSync(path.join(project.root, 'pylock.toml'));
    const again = await project.build(options);
    assert.equal(again.sha256, sha256);
    assert.deepEqual(
      again.events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])),
      ['The package index cannot be reached, so the versions come from earlier builds.'],
    );
  });

  test('is asked again only by --upgrade', async (t) => {
    const { project, index, env } = await indexed(t, ['demo']);
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    await project.build(options);
    index.add({ ...DEMO, version: '1.1' });
    assert.equal(readArchived((await project.build(options)).artifact, 'requirements.txt'), 'demo==1.0\n');
    const upgraded = await project.build({ ...options, upgrade: true });
    assert.equal(readArchived(upgraded.artifact, 'requirements.txt'), 'demo==1.1\n');
  });
});

describe('a requirement with its own address', () => {
  const ANSWERS = [
    {
      title: 'cannot be reached',
      address: () => 'http://127.0.0.1:9',
      why: 'the server cannot be reached',
      hint: 'Check your network and the address, and build again.',
    },
    {
      title: 'does not have it',
      address: ({ host }: PackageIndex) => `http://${host}/files`,
      why: 'the server returned 404',
      hint: 'Check the address.',
    },
  ];
  for (const file of ['third-1.0-py3-none-any.whl', 'third-1.0.tar.gz']) {
    for (const { title, address, why, hint } of ANSWERS) {
      test(`is named if the server of ${file} ${title}`, async (t) => {
        const { project, index, env } = await indexed(t, ['demo']);
        const folder = address(index);
        project.write({ 'requirements.txt': `third @ ${folder}/${file}\n` });
        await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } }), {
          code: 'DOWNLOAD_FAILED',
          message: `third (required by requirements.txt:1) could not be downloaded from ${new URL(folder).host}: ${why}.`,
          hint,
        });
      });
    }
  }
  test('is named if its server denies access', async (t) => {
    const { project, index, env } = await indexed(t, ['demo']);
    const other = await packageIndex({ login: 'me:word' });
    t.after(() => other.close());
    project.write({
      'requirements.txt': `third @ http://me:canary@${other.host}/third-1.0-py3-none-any.whl\n`,
    });
    await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } }), (error: Error) => {
      assert.match(
        error.message,
        /^third \(.*\) could not be downloaded from 127\.0\.0\.1:\d+: the server returned 401\.$/,
      );
      assert.doesNotMatch(error.message + String(error.cause), /canary/);
      return true;
    });
  });
});
