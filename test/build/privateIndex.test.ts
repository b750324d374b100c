/** Builds against an index that needs credentials or a proxy. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { indexed } from './indexedProject.ts';
import { type PackageIndex, packageIndex } from './packageIndex.ts';
import { listArchive, type Project, readArchived } from './projects.ts';

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

/** Serves each index in its own folder of one host. */
async function oneHost(t: TestContext, indexes: Readonly<Record<string, PackageIndex>>): Promise<string> {
  const server = createServer((request, response) => {
    const [, folder = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const index = indexes[folder];
    if (!index) return void response.writeHead(404).end();
    const onward = get(`http://${index.host}${rest}`, { headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('two indexes on one host', () => {
  async function twoIndexes(t: TestContext) {
    const first = await indexed(t, ['demo', 'second'], { login: 'a:canary-one' });
    const other = await packageIndex({ login: 'b:canary-two' });
    t.after(() => other.close());
    other.add({ name: 'second', files: { 'second.py': 'x = 2\n' } });
    const host = await oneHost(t, { a: first.index, b: other });
    const indexes = (second: string) => ({
      ...first.env,
      UV_DEFAULT_INDEX: `http://a:canary-one@${host}/a/simple`,
      UV_INDEX: `http://${second}@${host}/b/simple`,
    });
    return { project: first.project, host, indexes };
  }

  test('are each reached with their own login', async (t) => {
    const { project, indexes } = await twoIndexes(t);
    const { artifact } = await project.build({ env: indexes('b:canary-two') });
    assert.equal(readArchived(artifact, 'requirements.txt'), 'demo==1.0\nsecond==1.0\n');
  });

  test('are told apart when one of them refuses its login', async (t) => {
    const { project, host, indexes } = await twoIndexes(t);
    await project.build({ env: indexes('b:canary-two') });
    for (const folder of ['wheels', 'parts'])
      rmSync(path.join(project.home, 'cache', folder), { recursive: true, force: true });
    await assert.rejects(project.build({ env: indexes('b:canary-old') }), {
      code: 'DOWNLOAD_FAILED',
      message: `The wheel of second 1.0 could not be downloaded from ${host}: the server returned 401.`,
      hint: 'Check the credentials of its package index in the configuration of pip or uv.',
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
