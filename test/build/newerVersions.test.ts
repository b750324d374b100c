/** Packages whose newest version has no wheel for the workers. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { indexed } from './indexedProject.ts';
import type { PackageIndex } from './packageIndex.ts';
import { readArchived } from './projects.ts';

describe('a newer version without a wheel for Linux x86_64', () => {
  const warningsOf = (events: { type: string; message?: string }[]) =>
    events.flatMap(({ type, message }) => (type === 'warning' ? [message] : []));
  const BUILT = 'pure 2.0 has only a source distribution, so its wheel is built on this machine.';

  /** A build of a project that requires `requirement` from an index with these packages. */
  async function built(
    t: TestContext,
    requirement: string,
    wheels: Parameters<PackageIndex['add']>[0][],
    sources: Parameters<PackageIndex['addSource']>[0][],
  ) {
    const at = await indexed(t, [requirement]);
    for (const one of wheels) at.index.add(one);
    for (const one of sources) at.index.addSource(one);
    const build = async () => {
      const { artifact, events } = await at.project.build({
        env: { ...at.env, UV_DEFAULT_INDEX: at.index.url },
      });
      return { locked: readArchived(artifact, 'requirements.txt'), warnings: warningsOf(events) };
    };
    return { ...at, build };
  }

  test('is built if it has only a source distribution, as uv installs it', async (t) => {
    const { build } = await built(t, 'pure', [{ name: 'pure' }], [{ name: 'pure', version: '2.0' }]);
    assert.deepEqual(await build(), { locked: 'pure==2.0\n', warnings: [BUILT] });
    assert.deepEqual(await build(), { locked: 'pure==2.0\n', warnings: [] });
  });

  test('is not built if --only-binary names it, as uv does not use it then', async (t) => {
    const { build, project } = await built(t, 'pure', [{ name: 'pure' }], [{ name: 'pure', version: '2.0' }]);
    project.write({ 'requirements.txt': '--only-binary pure\n' });
    assert.deepEqual(await build(), { locked: 'pure==1.0\n', warnings: [] });
  });

  test('is replaced in the lock when --only-binary begins to name it', async (t) => {
    const { build, project } = await built(t, 'pure', [{ name: 'pure' }], [{ name: 'pure', version: '2.0' }]);
    assert.equal((await build()).locked, 'pure==2.0\n');
    project.write({ 'requirements.txt': '--only-binary pure\n' });
    assert.deepEqual(await build(), { locked: 'pure==1.0\n', warnings: [] });
  });

  test('is used as a pre-release with --pre, which gives no warning', async (t) => {
    const wheels = [{ name: 'pure' }, { name: 'pure', version: '2.0rc1' }];
    const { build, project } = await built(t, 'pure', wheels, []);
    project.write({ 'requirements.txt': '--pre\n--trusted-host 127.0.0.1\n' });
    assert.deepEqual(await build(), { locked: 'pure==2.0rc1\n', warnings: [] });
  });

  test('is built if another package requires it', async (t) => {
    const wheels = [{ name: 'outer', requires: ['pure'] }, { name: 'pure' }];
    const { build } = await built(t, 'outer', wheels, [{ name: 'pure', version: '2.0' }]);
    assert.deepEqual(await build(), { locked: 'outer==1.0\npure==2.0\n', warnings: [BUILT] });
  });

  for (const [title, sources] of [
    ['', ['2.0']],
    [', although that one could be built, too', ['1.0', '2.0']],
  ] as const) {
    test(`is not used if a package requires an older one${title}`, async (t) => {
      const wheels = [{ name: 'outer', requires: ['pure<2'] }, { name: 'pure' }];
      const all = sources.map((version) => ({ name: 'pure', version }));
      const { build } = await built(t, 'outer', wheels, all);
      assert.deepEqual(await build(), { locked: 'outer==1.0\npure==1.0\n', warnings: [] });
    });
  }

  test('is built rather than an older pre-release that has a wheel', async (t) => {
    const wheels = [{ name: 'pure', version: '1.0.dev5' }];
    const { build } = await built(t, 'pure', wheels, [{ name: 'pure', version: '2.0' }]);
    assert.deepEqual(await build(), { locked: 'pure==2.0\n', warnings: [BUILT] });
  });

  const COMPILED = { name: 'elsewhere', version: '2.0', tag: 'cp311-cp311-win_amd64' };
  const COMPILED_SOURCE = {
    name: 'elsewhere',
    version: '2.0',
    describes: false,
    runs: 'raise SystemExit(1)',
  };

  test('is not built if it has wheels for other machines, which is reported', async (t) => {
    const { build } = await built(t, 'elsewhere', [{ name: 'elsewhere' }, COMPILED], [COMPILED_SOURCE]);
    assert.deepEqual(await build(), {
      locked: 'elsewhere==1.0\n',
      warnings: ['elsewhere 1.0 is used instead of 2.0, which has no wheel for Python 3.11 on Linux x86_64.'],
    });
    assert.deepEqual(await build(), { locked: 'elsewhere==1.0\n', warnings: [] });
  });

  test('is an error if it has wheels for other machines and only a pre-release has one', async (t) => {
    const wheels = [{ name: 'elsewhere', version: '1.0.dev5' }, COMPILED];
    const { build } = await built(t, 'elsewhere', wheels, [COMPILED_SOURCE]);
    await assert.rejects(build(), {
      code: 'DEPENDENCY_NO_WHEEL',
      message: /^elsewhere 2\.0 .* \(it has wheels for cp311-cp311-win_amd64\)\.$/,
    });
  });

  const UNBUILT = [
    {
      title: 'building it fails',
      source: { runs: 'raise SystemExit(1)' },
      says: 'has no wheel for Linux x86_64, and building one failed.',
    },
    {
      title: 'building it to find out its requirements fails',
      source: { runs: 'raise SystemExit(1)', describes: false },
      says: 'has only a source distribution, and building it failed.',
    },
    {
      title: 'its wheel is for one kind of machine only',
      source: { tag: 'cp311-cp311-linux_x86_64' },
      says: 'has no wheel for Linux x86_64, and the one built on this machine runs only on cp311-cp311-linux_x86_64.',
    },
  ];
  for (const { title, source, says } of UNBUILT) {
    test(`is not used if ${title}, which is reported`, async (t) => {
      const sources = [{ name: 'pure', version: '2.0', ...source }];
      const { build } = await built(t, 'pure', [{ name: 'pure' }], sources);
      const { locked, warnings } = await build();
      assert.equal(locked, 'pure==1.0\n');
      assert.equal(
        warnings.at(-1),
        `pure (required by the endpoint "one" (worker.py:4)) ${says} pure 1.0 is used instead of 2.0.`,
      );
    });
  }

  test('is not used if the base image would have to install it, which is reported', async (t) => {
    const wheels = [{ name: 'torch', requires: ['pure'] }, { name: 'pure' }];
    const { build } = await built(t, 'torch', wheels, [{ name: 'pure', version: '2.0' }]);
    assert.deepEqual(await build(), {
      locked: 'pure==1.0\ntorch==1.0\n',
      warnings: [
        'pure 1.0 is used instead of 2.0, which has only a source distribution: packages of the base image must have wheels.',
      ],
    });
  });

  test('does not replace a version of an earlier lock', async (t) => {
    const { build, index, project } = await built(t, 'pure', [{ name: 'pure' }], []);
    await build();
    index.addSource({ name: 'pure', version: '2.0' });
    project.write({ 'requirements.txt': 'demo\n' });
    assert.deepEqual(await build(), { locked: 'demo==1.0\npure==1.0\n', warnings: [] });
  });
});
