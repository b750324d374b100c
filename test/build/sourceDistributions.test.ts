/** Packages that an index offers only as source. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { indexed } from './indexedProject.ts';
import { sourceBytes } from './packageIndex.ts';
import { makeProject, queueWorker, readArchived } from './projects.ts';

describe('a package with only a source distribution', () => {
  test('is built, which is reported, and the wheel is kept', async (t) => {
    const { project, index, env } = await indexed(t, ['pure']);
    index.addSource({ name: 'pure' });
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    // Of killed builds; one of them had the process id that this process has now.
    for (const pid of [9_999_999, process.pid])
      mkdirSync(path.join(project.home, `cache/building/pure-${pid}/sources`), { recursive: true });
    const first = await project.build(options);
    assert.deepEqual(readdirSync(path.join(project.home, 'cache/building')), []);
    assert.equal(readArchived(first.artifact, '_toolkit/dependencies/all/pure.py'), 'built = True\n');
    const warnings = first.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(warnings, [
      'pure 1.0 has only a source distribution, so its wheel is built on this machine.',
    ]);
    rmSync(path.join(project.home, 'cache/parts'), { recursive: true });
    index.close();
    const again = await project.build({ env: { ...env, PATH: '' } });
    assert.equal(again.sha256, first.sha256);
    assert.ok(!again.events.some(({ type }) => type === 'warning'));
  });

  test('can have several versions, of which the newest is built', async (t) => {
    const { project, index, env } = await indexed(t, ['pure']);
    index.addSource({ name: 'pure' });
    index.addSource({ name: 'pure', version: '2.0' });
    const { events } = await project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(warnings, [
      'pure 2.0 has only a source distribution, so its wheel is built on this machine.',
    ]);
  });

  test('can be given by its address', async (t) => {
    const { project, index, env } = await indexed(t, []);
    index.addSource({ name: 'pure' });
    project.write({ 'requirements.txt': `pure @ ${index.address('pure-1.0.tar.gz')}\n` });
    const { artifact } = await project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    assert.equal(readArchived(artifact, '_toolkit/dependencies/all/pure.py'), 'built = True\n');
  });

  const FORBIDDEN = [
    {
      title: 'all packages, and a requirement gives its address',
      option: '--only-binary=:all:',
      isAddress: true,
    },
    { title: 'all packages', option: '--only-binary :all:' },
    { title: 'it by another form of its name', option: '--only-binary=demo,Dynamic_Source' },
    {
      title: 'it after an option that is taken back',
      option: '--only-binary :all:\n--only-binary :none:,dynamic-source',
    },
  ];
  for (const { title, option, isAddress = false } of FORBIDDEN) {
    test(`is never built when --only-binary names ${title}`, async (t) => {
      const { project, index, env } = await indexed(t, []);
      const address = isAddress ? ` @ ${index.address('dynamic-source-1.0.tar.gz')}` : '';
      project.write({
        'worker.py': queueWorker('one', `dependencies=["dynamic-source${address}"]`),
        'requirements.txt': `${option}\n`,
      });
      index.addSource({ name: 'dynamic-source', describes: false, runs: 'raise SystemExit("it was built")' });
      await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } }), {
        code: 'DEPENDENCY_NO_WHEEL',
        message: `dynamic-source (required by the endpoint "one" (worker.py:4)) has no wheel for Python 3.11 on Linux x86_64, and --only-binary (requirements.txt:${option.split('\n').length}) forbids building one.`,
        hint: 'Choose a version that has a wheel, or change the option so that it does not include dynamic-source.',
      });
    });
  }

  test('is not built from a lock when --only-binary forbids it since then, and otherwise it is', async (t) => {
    const { project, index, env } = await indexed(t, ['pure']);
    index.addSource({ name: 'pure' });
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    project.write({ 'requirements.txt': '--only-binary :all:\n--only-binary :none:\n--only-binary demo\n' });
    await project.build(options);
    project.write({ 'requirements.txt': '--only-binary pure\n' });
    await assert.rejects(project.build(options), {
      code: 'DEPENDENCY_NO_WHEEL',
      message:
        /^pure \(.*\) has no wheel .*, and --only-binary \(requirements\.txt:1\) forbids building one\.$/,
    });
  });

  const REFUSED = [
    {
      title: 'is refused when its wheel is for one kind of machine only',
      source: { name: 'native', tag: 'cp311-cp311-linux_x86_64' },
      says: /^native \(required by the endpoint "one" \(worker\.py:4\)\) has no wheel for Linux x86_64, and the one built on this machine runs only on cp311-cp311-linux_x86_64\.$/,
    },
    {
      title: 'is named when its build fails',
      source: { name: 'broken', runs: 'raise SystemExit("no compiler")' },
      says: /^broken \(required by the endpoint "one" \(worker\.py:4\)\) has no wheel for Linux x86_64, and building one failed\.$/,
    },
  ];
  for (const { title, source, says } of REFUSED) {
    test(title, async (t) => {
      const { project, index, env } = await indexed(t, [source.name]);
      index.addSource(source);
      const building = project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
      await assert.rejects(building, { code: 'DEPENDENCY_NO_WHEEL', message: says, hint: /--find-links/ });
    });
  }

  const ELSEWHERE = [
    { title: 'other machines', tags: ['cp311-cp311-win_amd64'], requirement: 'elsewhere' },
    {
      title: 'older Pythons',
      tags: ['cp36-cp36m-manylinux1_x86_64', 'cp37-cp37m-manylinux1_x86_64'],
      requirement: 'elsewhere==1.0',
    },
    {
      title: 'older Pythons, in the base image',
      tags: ['cp37-cp37m-manylinux1_x86_64'],
      requirement: 'numpy<2',
    },
  ];
  for (const { title, tags, requirement } of ELSEWHERE) {
    test(`is not built when its version has wheels for ${title}, and these are named`, async (t) => {
      const name = /^\w+/.exec(requirement)![0];
      const { project, index, env } = await indexed(t, [requirement]);
      index.addSource({ name, runs: 'raise SystemExit(1)' });
      for (const tag of tags) index.add({ name, tag });
      index.add({ name, version: '2.0', tag: 'cp39-cp39-win_amd64' });
      if (requirement === name) index.addSource({ name, version: '2.0', runs: 'raise SystemExit(1)' });
      const version = requirement === name ? '2.0' : '1.0';
      const listed = requirement === name ? ['cp39-cp39-win_amd64'] : tags;
      await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } }), {
        code: 'DEPENDENCY_NO_WHEEL',
        message: `${name} ${version} (required by the endpoint "one" (worker.py:4)) has no wheel for Python 3.11 on Linux x86_64 (it has wheels for ${listed.join(', ')}).`,
      });
    });
  }

  test('is not built to find out its requirements when its version has wheels for older Pythons', async (t) => {
    const { project, index, env } = await indexed(t, ['elsewhere==1.0']);
    index.addSource({ name: 'elsewhere', describes: false, runs: 'raise SystemExit(1)' });
    index.add({ name: 'elsewhere', tag: 'cp37-cp37m-manylinux1_x86_64' });
    await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } }), {
      code: 'DEPENDENCY_NO_WHEEL',
      message: /^elsewhere 1\.0 .* \(it has wheels for cp37-cp37m-manylinux1_x86_64\)\.$/,
    });
  });

  test('in a folder is not built either when the folder has wheels for other machines', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["elsewhere"]') }, [
      { name: 'elsewhere', tag: 'cp311-cp311-win_amd64' },
    ]);
    const source = sourceBytes({ name: 'elsewhere', runs: 'raise SystemExit(1)' });
    writeFileSync(path.join(project.links, 'elsewhere-1.0.tar.gz'), source);
    await assert.rejects(project.build(), {
      code: 'DEPENDENCY_NO_WHEEL',
      message: /^elsewhere 1\.0 .* \(it has wheels for cp311-cp311-win_amd64\)\.$/,
    });
  });

  test('is refused when the base image would have to install it', async (t) => {
    const { project, index, env } = await indexed(t, ['torchaudio']);
    index.addSource({ name: 'torchaudio' });
    await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } }), {
      code: 'DEPENDENCY_NO_WHEEL',
      message:
        /^torchaudio 1\.0 \(.*\) has only a source distribution, and packages of the base image must have wheels\.$/,
    });
  });
});
