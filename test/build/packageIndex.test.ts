/** Builds against a real index over HTTP: where its address and credentials come from, and what it offers. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type PackageIndex, packageIndex } from './packageIndex.ts';
import { listArchive, makeProject, type Project, queueWorker, readArchived } from './projects.ts';

const DEMO = { name: 'demo', files: { 'demo.py': 'x = 1\n' } };

/** A project whose only packages are those of an index; its home holds none of the user's settings. */
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
      title: 'variables in requirements.txt',
      settle: ({ index, project }) => {
        project.write({ 'requirements.txt': `--index-url http://me:\${INDEX_WORD}@${index.host}/simple\n` });
        return { INDEX_WORD: 'canary-word' };
      },
    },
  ];
  for (const { title, settle } of SOURCES) {
    test(`is reached with the credentials of ${title}, which are told nobody`, async (t) => {
      const { project, index, env, userHome } = await indexed(t, ['demo'], { login: LOGIN });
      const own = settle({ index, userHome, project });
      const built = await project.build({ env: { ...env, ...own } });
      assert.ok(listArchive(built.artifact).includes('_toolkit/dependencies/all/demo.py'));
      const lock = readFileSync(path.join(project.root, 'pylock.toml'), 'utf8');
      const manifest = readFileSync(built.manifestPath, 'utf8');
      assert.doesNotMatch(lock + manifest + JSON.stringify(built.events), /canary|me@/);
    });
  }

  test('that refuses the credentials is told, without them', async (t) => {
    const { project, index, env } = await indexed(t, ['demo'], { login: LOGIN });
    const wrong = index.url.replace('canary-word', 'canary-other');
    await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: wrong } }), (error: Error) => {
      assert.match(
        error.message,
        /^The package index 127\.0\.0\.1:\d+ refused access \(401 Unauthorized\)\.$/,
      );
      assert.doesNotMatch(error.message + String(error.cause), /canary/);
      return true;
    });
  });
});

/** A proxy that knows one name; everything else it refuses. */
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

test('an index behind a proxy is resolved and fetched by way of it', async (t) => {
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
  assert.equal(direct.status, 200, 'afterwards nothing else goes by way of it');
});

describe('what an index offers', () => {
  test('is fetched with a total that is known before the first byte', async (t) => {
    const { project, index, env } = await indexed(t, ['demo', 'second']);
    index.add({ name: 'second', files: { 'second.py': 'y = 2\n'.repeat(1000) } });
    const { events } = await project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    const bytes = events.filter((event) => event.type === 'bytes');
    const fetched = bytes.filter(({ label }) => label === 'Fetching 2 wheels');
    assert.equal(fetched[0]!.done, 0);
    const totals = new Set(fetched.map(({ total }) => total));
    assert.deepEqual([...totals], [fetched.at(-1)!.done], 'one total from first to last');
    const packed = bytes.filter(({ label }) => label === 'Packing 2 packages');
    assert.deepEqual([packed[0]!.done, packed[0]!.total], [0, [...totals][0]]);
    for (const run of [fetched, packed]) {
      const done = run.map((event) => event.done);
      assert.deepEqual(
        done,
        done.toSorted((a, b) => a - b),
        'never goes back',
      );
    }
  });

  test('is taken as installers take it: of several wheels for Linux x86_64, that for the newest glibc', async (t) => {
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

  test('may be extras, markers and an address', async (t) => {
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

  test('is asked for optional groups of the project itself where a requirement names them', async (t) => {
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
      code: 'REQUIREMENT_INVALID',
      message: 'requirements.txt:1: The project has no optional group "nothing" in pyproject.toml.',
      hint: 'It has gpu, all.',
    });
  });

  test('is not asked for again by a build from the lock', async (t) => {
    const { project, index, env } = await indexed(t, ['demo']);
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    const first = await project.build(options);
    index.requests.length = 0;
    rmSync(path.join(project.home, 'cache/parts'), { recursive: true });
    assert.equal((await project.build(options)).sha256, first.sha256);
    assert.deepEqual(index.requests, []);
  });

  test('is looked at anew by an upgrade alone', async (t) => {
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
  test('is built, which is said, and the wheel is kept', async (t) => {
    const { project, index, env } = await indexed(t, ['pure']);
    index.addSource({ name: 'pure' });
    const options = { env: { ...env, UV_DEFAULT_INDEX: index.url } };
    const first = await project.build(options);
    assert.equal(readArchived(first.artifact, '_toolkit/dependencies/all/pure.py'), 'built = True\n');
    const warnings = first.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(warnings, [
      'pure 1.0 has only a source distribution: a wheel is built of it on this machine.',
    ]);
    rmSync(path.join(project.home, 'cache/parts'), { recursive: true });
    index.close();
    const again = await project.build({ env: { ...env, PATH: '' } });
    assert.equal(again.sha256, first.sha256);
    assert.ok(!again.events.some(({ type }) => type === 'warning'));
  });

  test('may have several versions, of which the newest is built', async (t) => {
    const { project, index, env } = await indexed(t, ['pure']);
    index.addSource({ name: 'pure' });
    index.addSource({ name: 'pure', version: '2.0' });
    const { events } = await project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(warnings, [
      'pure 2.0 has only a source distribution: a wheel is built of it on this machine.',
    ]);
  });

  test('may be an address', async (t) => {
    const { project, index, env } = await indexed(t, []);
    index.addSource({ name: 'pure' });
    project.write({ 'requirements.txt': `pure @ ${index.address('pure-1.0.tar.gz')}\n` });
    const { artifact } = await project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    assert.equal(readArchived(artifact, '_toolkit/dependencies/all/pure.py'), 'built = True\n');
  });

  const REFUSED = [
    {
      title: 'whose wheel is for one machine is refused',
      source: { name: 'native', tag: 'cp311-cp311-linux_x86_64' },
      says: /^native \(asked for by the endpoint "one" \(worker\.py:4\)\) has no wheel for Linux x86_64, and one built of it is for cp311-cp311-linux_x86_64 alone\.$/,
    },
    {
      title: 'whose build fails is named',
      source: { name: 'broken', runs: 'raise SystemExit("no compiler")' },
      says: /^broken \(asked for by the endpoint "one" \(worker\.py:4\)\) has no wheel for Linux x86_64, and building one failed\.$/,
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

  test('is not built where there are wheels for other machines, which are named', async (t) => {
    const { project, index, env } = await indexed(t, ['elsewhere']);
    index.addSource({ name: 'elsewhere', runs: 'raise SystemExit(1)' });
    index.add({ name: 'elsewhere', tag: 'cp311-cp311-win_amd64' });
    await assert.rejects(project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } }), {
      code: 'DEPENDENCY_NO_WHEEL',
      message:
        /^elsewhere \(asked for by the endpoint "one" .*\) has no wheel for Python 3\.11 on Linux x86_64 \(it has wheels for cp311-cp311-win_amd64\)\.$/,
    });
  });
});
