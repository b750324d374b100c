/** Builds against a real index over HTTP: where its address and credentials come from, and what it offers. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type PackageIndex, packageIndex, sourceBytes } from './packageIndex.ts';
import { listArchive, makeProject, type Project, queueWorker, readArchived } from './projects.ts';

const DEMO = { name: 'demo', files: { 'demo.py': 'x = 1\n' } };

/** A project whose packages come only from an index; its home has none of the user's settings. */
async function indexed(
  t: TestContext,
  dependencies: string[],
  options: Parameters<typeof packageIndex>[0] = {},
): Promise<{ project: Project; index: PackageIndex; env: NodeJS.ProcessEnv; userHome: string }> {
  const index = await packageIndex(options);
  t.after(() => index.close());
  index.add(DEMO);
  const project = makeProject(
    { 'worker.py': queueWorker('one', `dependencies=${JSON.stringify(dependencies)}`) },
    [],
  );
  const userHome = path.join(project.home, '../user');
  mkdirSync(path.join(userHome, '.config/uv'), { recursive: true });
  const { PIP_FIND_LINKS: _links, PIP_NO_INDEX: _none, ...rest } = project.env;
  const env = {
    ...rest,
    HOME: userHome,
    PIP_CONFIG_FILE: path.join(userHome, 'pip.conf'),
    UV_HTTP_RETRIES: '0',
  };
  return { project, index, env, userHome };
}

describe('a private index', () => {
  const LOGIN = 'me:canary-word';
  const SOURCES: {
    title: string;
    settle(place: { index: PackageIndex; userHome: string; project: Project }): Record<string, string>;
  }[] = [
    {
      title: 'PIP_INDEX_URL',
      settle: ({ index }) => ({ PIP_INDEX_URL: index.url }),
    },
    {
      title: "pip's configuration",
      settle: ({ index, userHome }) => {
        writeFileSync(path.join(userHome, 'pip.conf'), `[global]\nindex-url = ${index.url}\n`);
        return {};
      },
    },
    {
      title: 'UV_DEFAULT_INDEX',
      settle: ({ index }) => ({ UV_DEFAULT_INDEX: index.url }),
    },
    {
      title: "uv's configuration",
      settle: ({ index, userHome }) => {
        const text = `[[index]]\nurl = "${index.url}"\ndefault = true\n`;
        writeFileSync(path.join(userHome, '.config/uv/uv.toml'), text);
        return {};
      },
    },
    {
      title: 'the variables of a named index in pyproject.toml',
      settle: ({ index, project }) => {
        project.write({
          'pyproject.toml': `[tool.toolkit]\npython = "3.11"\n[[tool.uv.index]]\nname = "our-own"\nurl = "http://${index.host}/simple"\ndefault = true\n`,
        });
        return { UV_INDEX_OUR_OWN_USERNAME: 'me', UV_INDEX_OUR_OWN_PASSWORD: 'canary-word' };
      },
    },
    {
      title: 'netrc',
      settle: ({ index, userHome }) => {
        writeFileSync(path.join(userHome, '.netrc'), 'machine 127.0.0.1\nlogin me\npassword canary-word\n', {
          mode: 0o600,
        });
        return { UV_DEFAULT_INDEX: `http://${index.host}/simple` };
      },
    },
    {
      title: 'the keyring',
      settle: ({ index, userHome }) => {
        const command = path.join(userHome, 'bin/keyring');
        mkdirSync(path.dirname(command));
        const knows = `[ "$*" = "get ${index.host} me" ] && echo canary-word`;
        writeFileSync(command, `#!/bin/sh\n${knows}\n`, { mode: 0o755 });
        return {
          PATH: `${path.dirname(command)}${path.delimiter}${process.env.PATH}`,
          UV_DEFAULT_INDEX: `http://me@${index.host}/simple`,
        };
      },
    },
    {
      title: 'variables in requirements.txt',
      settle: ({ index, project }) => {
        project.write({ 'requirements.txt': `--index-url http://me:\${INDEX_WORD}@${index.host}/simple\n` });
        return { INDEX_WORD: 'canary-word' };
      },
    },
  ];
  for (const { title, settle } of SOURCES) {
    test(`is reached with the credentials of ${title}, which never appear in messages`, async (t) => {
      const { project, index, env, userHome } = await indexed(t, ['demo'], { login: LOGIN });
      const own = settle({ index, userHome, project });
      const built = await project.build({ env: { ...env, ...own } });
      assert.ok(listArchive(built.artifact).includes('_toolkit/dependencies/all/demo.py'));
      const lock = readFileSync(path.join(project.root, 'pylock.toml'), 'utf8');
      const manifest = readFileSync(built.manifestPath, 'utf8');
      assert.doesNotMatch(lock + manifest + JSON.stringify(built.events), /canary|me@/);
    });
  }

  test('is reported as denying access if the keyring cannot be started', async (t) => {
    const { project, index, env, userHome } = await indexed(t, ['demo'], { login: LOGIN });
    await project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    for (const folder of ['wheels', 'parts'])
      rmSync(path.join(project.home, 'cache', folder), { recursive: true, force: true });
    const command = path.join(userHome, 'bin/keyring');
    mkdirSync(path.dirname(command));
    writeFileSync(command, '#!/no/such/python\n', { mode: 0o755 });
    const PATH = `${path.dirname(command)}${path.delimiter}${process.env.PATH}`;
    const UV_DEFAULT_INDEX = `http://me@${index.host}/simple`;
    await assert.rejects(project.build({ env: { ...env, PATH, UV_DEFAULT_INDEX } }), {
      code: 'DOWNLOAD_FAILED',
      message: /returned 401/,
    });
  });

  test('reports that it refuses the credentials, without printing them', async (t) => {
    const { project, index, env } = await indexed(t, ['demo'], { login: LOGIN });
    const wrong = index.url.replace('canary-word', 'canary-other');
    await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: wrong } }), (error: Error) => {
      assert.match(
        error.message,
        /^The package index 127\.0\.0\.1:\d+ denied access \(401 Unauthorized\)\.$/,
      );
      assert.doesNotMatch(error.message + String(error.cause), /canary/);
      return true;
    });
  });
});

/** A proxy that knows one host name and refuses all others. */
async function proxyTo(
  t: TestContext,
  name: string,
  target: string,
): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    const url = URL.parse(request.url ?? '');
    seen.push(request.url ?? '');
    if (url?.host !== name) return void response.writeHead(502).end();
    const { host: _host, ...headers } = request.headers;
    const onward = get(`http://${target}${url.pathname}`, { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
  });
  proxy.on('connect', (request, client) => {
    seen.push(request.url ?? '');
    if (request.url !== `${name}:80`) return void client.end('HTTP/1.1 502 No\r\n\r\n');
    const [host, port] = target.split(':') as [string, string];
    const onward = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(client);
      client.pipe(onward);
    });
    onward.on('error', () => client.destroy());
    client.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

test('an index behind a proxy is resolved and fetched through the proxy', async (t) => {
  const { project, index, env } = await indexed(t, ['demo']);
  const proxy = await proxyTo(t, 'packages.invalid', index.host);
  const own = { PIP_INDEX_URL: 'http://packages.invalid/simple', PIP_PROXY: proxy.url };
  const { artifact, events } = await project.build({ env: { ...env, ...own } });
  assert.ok(listArchive(artifact).includes('_toolkit/dependencies/all/demo.py'));
  assert.ok(index.requests.some((file) => file.endsWith('.whl')));
  assert.ok(proxy.seen.length > 1);
  assert.deepEqual(
    events.filter(({ type }) => type === 'warning'),
    [],
  );
  const direct = await fetch(index.address('demo-1.0-py3-none-any.whl'));
  await direct.body?.cancel();
  assert.equal(direct.status, 200, 'afterwards, nothing else goes through the proxy');
});

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
        /^torchaudio 1\.0 \(.*\) has only a source distribution, and the base image installs only wheels\.$/,
    });
  });
});

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
        'pure 1.0 is used instead of 2.0, which has only a source distribution: the base image installs only wheels.',
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
