/**
 * What a project requires: requirements files, pyproject.toml and declarations, and the errors when a
 * requirement cannot be met.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { collectRequirements } from '../../runtime/build/dependencies/requirements.ts';
import { readRequirementsFile } from '../../runtime/source/environment/requirementsFile.ts';
import { requirementsText } from '../../runtime/source/environment/requirementsText.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { makeProject, queueWorker, WORKER_WHEELS } from './projects.ts';
import { scratch, writeTree } from './scratch.ts';
import { type WheelContents, wheelBytes } from './wheels.ts';

async function collect(files: Record<string, string | Buffer>) {
  const root = scratch();
  writeTree(root, { 'pyproject.toml': '', ...files });
  const app = await collectRequirements(await readProject({ root }), new Set(), {});
  const set = app.of(app.endpoints);
  return {
    texts: set.requirements.map(({ text }) => text),
    constraints: set.constraints,
    options: set.options,
    root,
  };
}

test('a requirements file that exists and cannot be read is not reported as missing', () => {
  const root = scratch();
  symlinkSync('loop.txt', path.join(root, 'loop.txt'));
  assert.deepEqual(requirementsText(root, 'loop.txt', true), {
    message: 'The requirements file loop.txt cannot be read (ELOOP).',
    fix: 'Check its permissions.',
  });
});

describe('requirements', () => {
  test('come from declarations, requirements.txt and pyproject.toml, each once', async () => {
    const { texts } = await collect({
      'worker.py': queueWorker('one', 'dependencies=["b>=1", "a[extra]==2; python_version < \'3.12\'"]'),
      'requirements.txt': 'b>=1\nc\n',
      'pyproject.toml':
        '[project]\nname = "demo"\ndependencies = ["d @ https://example.org/d-1-py3-none-any.whl"]\n',
    });
    assert.deepEqual(texts, [
      "a[extra]==2; python_version < '3.12'",
      'b>=1',
      'c',
      'd @ https://example.org/d-1-py3-none-any.whl',
    ]);
  });

  test('follow -r and -c, keep index options, and drop comments, hashes, continuations and the byte order mark', async () => {
    const { texts, constraints, options, root } = await collect({
      'worker.py': queueWorker('one'),
      'requirements.txt':
        '\uFEFF# all\r\n-r sub/base.txt\r\n--extra-index-url https://example.org/simple\r\n-f wheels\r\na==1 \\\r\n  --hash=sha256:00\r\n',
      'sub/base.txt': 'b  # why\n-c limits.txt\n-r ../requirements.txt\n',
      'sub/limits.txt': 'urllib3<2\ntoolkit-sdk==9\n',
    });
    assert.deepEqual(texts, ['a==1', 'b']);
    assert.deepEqual(constraints, ['urllib3<2']);
    assert.deepEqual(options, [
      '--extra-index-url https://example.org/simple',
      `--find-links ${root}/wheels`,
    ]);
  });

  test("keep the marker of a requirement on the project's own optional groups", async () => {
    const { texts } = await collect({
      'worker.py': queueWorker('one', 'dependencies=["ac[y]"]'),
      'requirements.txt': "ac[x]; sys_platform == 'win32'\n",
      'pyproject.toml': `[project]
name = "ac"
[project.optional-dependencies]
x = ["a>=1", "b; python_version < '3.12' or os_name == 'nt'", "ac[y] ; os_name == 'nt'"]
y = ["c @ https://example.org/c;1.whl", "d @ https://example.org/d.whl; python_version > '3'"]
`,
    });
    assert.deepEqual(texts, [
      "a>=1 ; sys_platform == 'win32'",
      "b ; (sys_platform == 'win32') and (python_version < '3.12' or os_name == 'nt')",
      'c @ https://example.org/c;1.whl',
      "c @ https://example.org/c;1.whl ; (sys_platform == 'win32') and (os_name == 'nt')",
      "d @ https://example.org/d.whl ; (sys_platform == 'win32') and ((os_name == 'nt') and (python_version > '3'))",
      "d @ https://example.org/d.whl; python_version > '3'",
    ]);
  });

  const CONTINUED: [title: string, text: string, texts: string[]][] = [
    ['except in a comment', '# a is old \\\nb\nc # why \\\nd\n', ['b', 'c', 'd']],
    ['until the next comment', 'a \\\n# why \\\nb\n', ['a', 'b']],
    ['until the next empty line', 'a \\\n\n\\\n\nb\n', ['a', 'b']],
    ['until the end of the file', 'a\nb \\', ['a', 'b']],
  ];
  for (const [title, text, expected] of CONTINUED) {
    test(`continue at a backslash, ${title}`, async () => {
      const { texts } = await collect({ 'worker.py': queueWorker('one'), 'requirements.txt': text });
      assert.deepEqual(texts, expected);
    });
  }

  test('can have several options in one line', async () => {
    const root = scratch();
    writeTree(root, {
      'requirements.txt':
        '--no-index  --find-links="my -wheels" -c limits.txt\n-i https://a.example.org/-/simple',
      'limits.txt': 'a<2\n',
    });
    const read = () => readRequirementsFile(root, 'requirements.txt', { SUB: 'more', LINKS: '/wheels' });
    const { options, constraints, faults } = read();
    assert.deepEqual(options, [
      '--no-index',
      `--find-links ${root}/my -wheels`,
      '-i https://a.example.org/-/simple',
    ]);
    assert.deepEqual([constraints, faults], [['a<2'], []]);
    writeTree(root, {
      'requirements.txt': '-r ${SUB}/base.txt',
      'more/base.txt': '-f ${LINKS}/x --find-links ${OTHER}\n-c "${SUB}/limits.txt"\n',
      'more/more/limits.txt': 'b<2\n',
    });
    const { options: links, constraints: limits } = read();
    assert.deepEqual(
      [links, limits],
      [['--find-links /wheels/x', `--find-links ${root}/more/${'${OTHER}'}`], ['b<2']],
    );
  });

  test('can be quoted in options', async () => {
    const { texts, constraints } = await collect({
      'worker.py': queueWorker('one'),
      'requirements.txt': '-r "more of them.txt"\n-c=\'limits.txt\'\n-e ".[x]"\n',
      'more of them.txt': 'a\n',
      'limits.txt': 'a<2\n',
      'pyproject.toml': '[project]\nname = "app"\n[project.optional-dependencies]\nx = ["b"]\n',
    });
    assert.deepEqual([texts, constraints], [['a', 'b'], ['a<2']]);
  });

  test('follow -r to an absolute path', async () => {
    const shared = scratch();
    writeTree(shared, { 'base.txt': '-r more.txt\n', 'more.txt': 'b\n' });
    const { texts } = await collect({
      'worker.py': queueWorker('one'),
      'requirements.txt': `-r ${shared}/base.txt\n`,
    });
    assert.deepEqual(texts, ['b']);
  });

  test('with hashes accept no other wheel', async () => {
    const demo = { name: 'demo', files: { 'demo.py': 'x = 1\n' } };
    const project = makeProject({ 'worker.py': queueWorker('one') }, [demo]);
    const right = hash('sha256', wheelBytes(demo));
    const ask = (...hashes: string[]) =>
      project.write({
        'requirements.txt': ['demo==1.0', ...hashes.map((one) => `--hash=sha256:${one}`)].join(' \\\n  '),
      });
    ask('0'.repeat(64), right.toUpperCase());
    await project.build();
    ask('0'.repeat(64));
    await assert.rejects(project.build(), {
      code: 'REQUIREMENT_INVALID',
      message: `requirements.txt:1: No --hash matches the wheel of demo 1.0, which has sha256:${right}.`,
    });
  });

  test('with --require-hashes need a hash for each package, also for those that only others require', async () => {
    const wheels = [
      { name: 'outer', requires: ['demo', 'other'], files: { 'outer.py': '' } },
      { name: 'demo', files: { 'demo.py': 'x = 1\n' } },
      { name: 'other', files: { 'other.py': 'x = 1\n' } },
    ];
    const [outer, demo, other] = wheels.map(
      (one) => `${one.name}==1.0 --hash=sha256:${hash('sha256', wheelBytes(one))}`,
    );
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') }, wheels);
    project.write({ 'requirements.txt': `${outer}\n` });
    await project.build();
    project.write({ 'requirements.txt': `${outer}\n--require-hashes\n` });
    await assert.rejects(project.build(), {
      code: 'REQUIREMENT_INVALID',
      message:
        '--require-hashes (requirements.txt:2) needs a --hash for each package, but there is none for demo 1.0 (required by the endpoint "one" (worker.py:4)), other 1.0.',
      hint: `Add a line for each of them to requirements.txt, such as "${demo}".`,
    });
    project.write({
      'requirements.txt': `--require-hashes\nouter\n-c pins.txt\ntoolkit-sdk\n`,
      'pins.txt': [outer, demo, other].join('\n'),
    });
    await project.build();
  });

  test('on toolkit-sdk are met by the copy in the artifact', async () => {
    const { texts } = await collect({
      'worker.py': queueWorker('one', 'dependencies=["Toolkit_SDK>=0.1"]'),
      'requirements.txt': 'toolkit-sdk\n',
    });
    assert.deepEqual(texts, []);
  });

  const REFUSED: { title: string; files: Record<string, string | Buffer>; says: RegExp; hint?: string }[] = [
    {
      title: 'a missing file',
      files: { 'requirements.txt': 'a\n-r more.txt\n' },
      says: /^requirements\.txt:2: The requirements file more\.txt does not exist/,
    },
    {
      title: 'a local folder',
      files: { 'requirements.txt': '-e ./other\n' },
      says: /^requirements\.txt:1: "-e \.\/other" is a local folder/,
    },
    {
      title: 'a quoted local folder',
      files: { 'requirements.txt': '-e "./other folder"\n' },
      says: /^requirements\.txt:1: "-e "\.\/other folder"" is a local folder/,
    },
    {
      title: 'an editable repository',
      files: { 'requirements.txt': 'a\n-e git+https://example.org/demo.git#egg=demo\n' },
      says: /^requirements\.txt:2: This line requires "git\+https:\/\/example\.org\/demo\.git#egg=demo", a repository, which a build cannot install\.$/,
    },
    ...(['-c', '-r'] as const).map((option) => ({
      title: `${option} and a URL`,
      files: { 'requirements.txt': `${option} https://me:canary@example.org/limits.txt\n` },
      says: /^requirements\.txt:1: (?:Requirements|Constraints) files at a URL are not supported\.$/,
      hint: 'Download the file, and write its path instead of the URL.',
    })),
    {
      title: 'a folder',
      files: { 'requirements.txt': '-r more\n', 'more/a.txt': '' },
      says: /^requirements\.txt:1: The requirements file more is a folder\.$/,
      hint: 'Write the path of a file, or remove the line.',
    },
    {
      title: 'a folder named requirements.txt',
      files: { 'requirements.txt/a.txt': '' },
      says: /^requirements\.txt:1: The requirements file requirements\.txt is a folder\.$/,
      hint: 'Rename the folder.',
    },
    {
      title: 'UTF-16 without a byte order mark',
      files: { 'requirements.txt': Buffer.from('demo\n', 'utf16le') },
      says: /^requirements\.txt:1: The requirements file requirements\.txt is not UTF-8\.$/,
      hint: 'Save it as UTF-8.',
    },
    {
      title: 'Latin-1 that begins like a byte order mark',
      files: { 'requirements.txt': Buffer.from('ÿa\n', 'latin1') },
      says: /^requirements\.txt:1: The requirements file requirements\.txt is not UTF-8\.$/,
      hint: 'Save it as UTF-8.',
    },
    {
      title: 'an included file in Latin-1',
      files: { 'requirements.txt': '\n-r more.txt\n', 'more.txt': Buffer.from('a # déjà\n', 'latin1') },
      says: /^requirements\.txt:2: The requirements file more\.txt is not UTF-8\.$/,
      hint: 'Save it as UTF-8.',
    },
    {
      title: 'an archive without a name',
      files: { 'requirements.txt': './wheels/demo-1.0.tar.gz\n' },
      says: /^requirements\.txt:1: "\.\/wheels\/demo-1\.0\.tar\.gz" is the path of an archive, without the name of its package\.$/,
    },
    ...[
      'wheels/demo-1.0-py2.py3-none-any.whl',
      '-e "./wheels/demo-1.0-py3-none-any.whl"',
      './wheels/demo-1.0-py3-none-any.whl ; os_name == "posix"',
    ].map((line) => ({
      title: `the wheel in ${line}`,
      files: { 'requirements.txt': `${line}\n` },
      says: /^requirements\.txt:1: ".*" is the path of a wheel, without the name of its package\.$/,
      hint: `Write two lines: "--find-links ${line.includes('./') ? './' : ''}wheels" and the name of the package.`,
    })),
    {
      title: 'a wheel next to the file',
      files: { 'requirements.txt': 'demo-1.0-py3-none-any.whl\n' },
      says: /^requirements\.txt:1: "demo-1\.0-py3-none-any\.whl" is the path of a wheel/,
      hint: 'Write two lines: "--find-links ." and the name of the package.',
    },
    {
      title: 'an unknown option',
      files: { 'requirements.txt': '--odd\n' },
      says: /^requirements\.txt:1: A build does not support the option "--odd"/,
    },
    {
      title: 'a wheel without a name',
      files: { 'requirements.txt': './wheels/demo-1.0-py3-none-any.whl\n' },
      says: /^requirements\.txt:1: "\.\/wheels\/demo-1\.0-py3-none-any\.whl" is the path of a wheel, without the name of its package\.$/,
    },
    {
      title: 'an address without a name',
      files: { 'requirements.txt': 'https://me:canary@example.org/demo-1.0-py3-none-any.whl\n' },
      says: /^requirements\.txt:1: This line requires "https:\/\/example\.org\/demo-1\.0-py3-none-any\.whl", a URL without a name/,
    },
    {
      title: 'an address relative to a folder',
      files: { 'requirements.txt': 'demo @ ./wheels/demo-1.0-py3-none-any.whl\n' },
      says: /^requirements\.txt:1: This line requires "demo @ .*", whose address is not absolute\.$/,
    },
    {
      title: 'an address without a scheme',
      files: { 'requirements.txt': 'demo @ wheels/demo-1.0-py3-none-any.whl\n' },
      says: /^requirements\.txt:1: This line requires "demo @ .*", whose address is not absolute\.$/,
    },
    {
      title: 'an address with two slashes',
      files: { 'requirements.txt': 'demo @ file://wheels/demo-1.0-py3-none-any.whl\n' },
      says: /^requirements\.txt:1: This line requires "demo @ .*", whose address is not absolute\.$/,
    },
    {
      title: 'a repository',
      files: {
        'worker.py': queueWorker('one', 'dependencies=["demo @ git+https://example.org/demo.git@v1"]'),
      },
      says: /^The endpoint "one" \(worker\.py:4\) requires "demo @ git\+https:.*", a repository, which a build cannot install\.$/,
    },
    {
      title: 'a named local folder',
      files: { 'pyproject.toml': '[project]\nname = "x"\ndependencies = ["demo @ file:///src/demo"]\n' },
      says: /^pyproject\.toml requires "demo @ file:\/\/\/src\/demo", a local folder, which a build cannot install\.$/,
    },
    ...['demo==1.0', 'demo>=1 --hash=sha256:00', 'demo[a]==1.* --hash=sha256:00'].map((line) => ({
      title: `${JSON.stringify(line)} with --require-hashes`,
      files: {
        'requirements.txt': `other==1 --hash=sha256:00\n${line}\n-r more.txt\n`,
        'more.txt': '--require-hashes\n',
      },
      says: /^requirements\.txt:2: "demo.*" must be pinned with == and have a --hash, because of --require-hashes \(more\.txt:1\)\.$/,
    })),
    {
      title: 'a hash that is not sha256',
      files: {
        'requirements.txt': 'a==1 --hash=sha512:00 --hash=sha256:00\ndemo==1.0 \\\n --hash=sha512:00\n',
      },
      says: /^requirements\.txt:2: The --hash of "demo==1\.0" is not a sha256 hash, which is the only kind that a build checks\.$/,
    },
    {
      title: 'an extra that the project does not have',
      files: { 'pyproject.toml': '[project]\nname = "x"\ndependencies = ["X[gpu]"]\n' },
      says: /^pyproject\.toml has no extra "gpu"\.$/,
    },
    {
      title: 'words',
      files: { 'requirements.txt': 'bad name!\n' },
      says: /^requirements\.txt:1: This line requires "bad name!", which is not a valid requirement/,
    },
    {
      title: 'an invalid marker',
      files: { 'requirements.txt': 'requests==2.32.3 ; bad\n' },
      says: /^requirements\.txt:1: This line requires "requests==2\.32\.3 ; bad", which has an invalid marker\.$/,
      hint: `Write a condition after the ";", such as python_version < "3.12", or remove it.`,
    },
    {
      title: 'an invalid marker of a dependency',
      files: {
        'worker.py': queueWorker('one', `dependencies=["a @ https://example.org/a.whl; os_name = 'nt'"]`),
      },
      says: /^The endpoint "one" \(worker\.py:4\) requires "a @ .*", which has an invalid marker\.$/,
    },
    {
      title: 'an invalid dependency',
      files: { 'worker.py': queueWorker('one', 'dependencies=["a b"]') },
      says: /^The endpoint "one" \(worker\.py:4\) requires "a b", which is not/,
    },
  ];
  for (const { title, files, says, hint } of REFUSED) {
    test(`are refused for ${title}, with the location`, async () => {
      await assert.rejects(collect({ 'worker.py': queueWorker('one'), ...files }), {
        code: 'REQUIREMENT_INVALID',
        message: says,
        ...(hint === undefined ? {} : { hint }),
      });
    });
  }
});

describe('a resolution that fails', () => {
  const FAILURES: {
    title: string;
    dependencies: string;
    wheels: WheelContents[];
    code: string;
    says: RegExp;
  }[] = [
    {
      title: 'on a missing package',
      dependencies: '["absent>=2"]',
      wheels: [],
      code: 'DEPENDENCY_UNRESOLVED',
      says: /^absent \(required by the endpoint "one" \(worker\.py:4\)\) does not exist in the package index\.$/,
    },
    {
      title: 'on a missing dependency of a package',
      dependencies: '["outer"]',
      wheels: [{ name: 'outer', requires: ['absent'] }],
      code: 'DEPENDENCY_UNRESOLVED',
      says: /^absent does not exist/,
    },
    {
      title: 'on a version that does not exist',
      dependencies: '["demo==9", "demo"]',
      wheels: [{ name: 'demo' }],
      code: 'DEPENDENCY_UNRESOLVED',
      says: /^No version satisfies demo==9 \(required by the endpoint "one"/,
    },
    {
      title: 'on a package that depends on a version that does not exist',
      dependencies: '["outer"]',
      wheels: [{ name: 'demo' }, { name: 'outer', requires: ['demo>5'] }],
      code: 'DEPENDENCY_UNRESOLVED',
      says: /^No version satisfies demo>5, on which outer depends \(required by the endpoint "one"/,
    },
    {
      title: 'on a wheel for another Python',
      dependencies: '["demo"]',
      wheels: [{ name: 'demo', tag: 'cp38-cp38-manylinux_2_17_x86_64' }],
      code: 'DEPENDENCY_NO_WHEEL',
      says: /^demo \(required by .*\) has no wheel for Python 3\.11 on Linux x86_64/,
    },
    {
      title: 'on a wheel for another platform',
      dependencies: '["demo"]',
      wheels: [{ name: 'demo', tag: 'cp311-cp311-win_amd64' }],
      code: 'DEPENDENCY_NO_WHEEL',
      says: /^demo \(required by .*\) has no wheel for Python 3\.11 on Linux x86_64/,
    },
    {
      title: 'on two pins of one package',
      dependencies: '["demo==1.0", "demo==2.0"]',
      wheels: [{ name: 'demo' }, { name: 'demo', version: '2.0' }],
      code: 'DEPENDENCY_CONFLICT',
      says: /^These requirements conflict: demo==1\.0 \(required by the endpoint "one" \(worker\.py:4\)\) and demo==2\.0/,
    },
    {
      title: "on a pin that conflicts with another package's requirement",
      dependencies: '["demo==1.0", "outer"]',
      wheels: [{ name: 'demo' }, { name: 'demo', version: '2.0' }, { name: 'outer', requires: ['demo>=2'] }],
      code: 'DEPENDENCY_CONFLICT',
      says: /demo==1\.0 \(.*\) and outer \(/,
    },
  ];
  for (const { title, dependencies, wheels, code, says } of FAILURES) {
    test(`${title} is reported in one sentence`, async () => {
      const project = makeProject(
        { 'worker.py': queueWorker('one', `dependencies=${dependencies}`) },
        wheels,
      );
      await assert.rejects(project.build(), { code, message: says });
    });
  }

  test('on a version that a constraint excludes names the constraint', async () => {
    const files = {
      'worker.py': queueWorker('one', 'dependencies=["demo"]'),
      'requirements.txt': '-c limits.txt\n',
      'limits.txt': 'demo>5\n',
    };
    const project = makeProject(files, [{ name: 'demo' }]);
    await assert.rejects(project.build(), {
      code: 'DEPENDENCY_UNRESOLVED',
      message: /^No version satisfies demo \(required by .*\) and the constraint demo>5\.$/,
    });
  });

  test("on a pin that conflicts with the worker's own range names both", async () => {
    const files = {
      'api.py':
        'from toolkit_sdk import Endpoint\napi = Endpoint(name="api", cpu="cpu3c-1-2", dependencies=["fastapi<0.100"])\n\n\n@api.get("/x")\ndef x() -> int:\n    """X."""\n    return 1\n',
    };
    const project = makeProject(files, [...WORKER_WHEELS, { name: 'fastapi', version: '0.99' }]);
    await assert.rejects(project.build(), {
      code: 'DEPENDENCY_CONFLICT',
      message:
        /fastapi<0\.100 \(required by the endpoint "api" \(api\.py:2\)\) and fastapi>=0\.115,<1 \(required by the toolkit's own worker for load-balanced endpoints\)/,
    });
  });

  test('on a package that is not in the cache, with uv set to work offline, says so', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') });
    const { PIP_NO_INDEX: _none, PIP_FIND_LINKS: _links, ...env } = project.env;
    const offline = { ...env, PIP_INDEX_URL: 'http://127.0.0.1:9/simple', UV_OFFLINE: '1' };
    await assert.rejects(project.build({ env: offline }), {
      code: 'DOWNLOAD_FAILED',
      message:
        /^demo \(required by the endpoint "one" \(worker\.py:4\)\) is not in uv's cache, and uv is set to work offline\.$/,
    });
  });

  test('on an index that does not respond names its host but not the credentials', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') });
    const env = {
      ...project.env,
      PIP_NO_INDEX: '0',
      PIP_INDEX_URL: 'http://me:canary@127.0.0.1:9/simple',
      UV_HTTP_RETRIES: '0',
    };
    await assert.rejects(project.build({ env }), (error: Error) => {
      assert.match(error.message, /127\.0\.0\.1:9 cannot be reached/);
      assert.ok(!`${error.message} ${String(error.cause)}`.includes('canary'));
      return true;
    });
  });
});
