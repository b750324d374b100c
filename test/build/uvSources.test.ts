/**
 * [tool.uv.sources] and [[tool.uv.index]]: a build takes each package from the source that uv takes it from.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type PackageIndex, packageIndex } from './packageIndex.ts';
import { makeProject, type Project, queueWorker, readArchived } from './projects.ts';
import { writeWheel } from './wheels.ts';

interface Place {
  project: Project;
  ordinary: PackageIndex;
  special: PackageIndex;
  /** Files and versions in the artifact of a build. */
  locked(): Promise<string>;
}

/**
 * Two indexes that offer `demo`: 1.0 and 2.0 on the ordinary one, 1.5 on the special one, which also has
 * `other` 9.0.
 */
async function place(t: TestContext, dependencies: string[]): Promise<Place> {
  const ordinary = await packageIndex();
  const special = await packageIndex();
  t.after(() => ordinary.close());
  t.after(() => special.close());
  for (const version of ['1.0', '2.0']) ordinary.add({ name: 'demo', version });
  ordinary.add({ name: 'other', version: '1.0' });
  special.add({ name: 'demo', version: '1.5' });
  special.add({ name: 'other', version: '9.0' });
  const settings = `dependencies=${JSON.stringify(dependencies)}`;
  const project = makeProject({ 'worker.py': queueWorker('one', settings) }, []);
  const userHome = path.join(project.home, '../user');
  mkdirSync(userHome, { recursive: true });
  const { PIP_FIND_LINKS: _links, PIP_NO_INDEX: _none, ...rest } = project.env;
  const env = { ...rest, HOME: userHome, PIP_CONFIG_FILE: '/dev/null', UV_DEFAULT_INDEX: ordinary.url };
  const locked = async () => readArchived((await project.build({ env })).artifact, 'requirements.txt');
  return { project, ordinary, special, locked };
}

function pyproject(sources: string, index = ''): Record<string, string> {
  return {
    'pyproject.toml': `[tool.toolkit]\npython = "3.11"\n[tool.uv.sources]\n${sources}\n${index}`,
  };
}

const explicit = ({ special }: Place) =>
  `[[tool.uv.index]]\nname = "special"\nurl = "${special.url}"\nexplicit = true\n`;

const HONOURED: { title: string; source: string; version: string }[] = [
  { title: 'an index', source: 'demo = { index = "special" }', version: '1.5' },
  {
    title: 'an index from a list whose marker is true for Linux',
    source: `Demo = [{ index = "special", marker = "sys_platform == 'linux'" }]`,
    version: '1.5',
  },
  {
    title: 'the usual index when the marker is for another system',
    source: `demo = [{ index = "special", marker = "sys_platform == 'darwin'" }]`,
    version: '2.0',
  },
  {
    title: 'the usual index when the source is for a dependency group',
    source: 'demo = [{ index = "special", group = "dev" }]',
    version: '2.0',
  },
];
for (const { title, source, version } of HONOURED) {
  test(`takes one package from ${title}, but not the others`, async (t) => {
    const at = await place(t, ['demo', 'other']);
    at.project.write(pyproject(source, explicit(at)));
    assert.equal(await at.locked(), `demo==${version}\nother==1.0\n`);
  });
}

test('takes no package of another set of requirements from an explicit index', async (t) => {
  const at = await place(t, ['other']);
  at.project.write(pyproject('demo = { index = "special" }', explicit(at)));
  assert.equal(await at.locked(), 'other==1.0\n');
  assert.deepEqual(at.special.requests, []);
});

test('resolves again for a changed source, but not for an unchanged one', async (t) => {
  const at = await place(t, ['demo']);
  assert.equal(await at.locked(), 'demo==2.0\n');
  at.project.write(pyproject('demo = { index = "special" }', explicit(at)));
  assert.equal(await at.locked(), 'demo==1.5\n');
  at.special.requests.length = 0;
  assert.equal(await at.locked(), 'demo==1.5\n');
  assert.deepEqual(at.special.requests, []);
});

const SETTINGS: { title: string; write(at: Place): Record<string, string>; version: string }[] = [
  {
    title: 'constraints',
    write: () => ({ 'pyproject.toml': uvTable('constraint-dependencies = ["demo<2"]') }),
    version: '1.0',
  },
  {
    title: 'overrides',
    write: () => ({ 'pyproject.toml': uvTable('override-dependencies = ["demo==1.0"]') }),
    version: '1.0',
  },
  {
    title: 'an index',
    write: ({ special }) => ({ 'pyproject.toml': uvTable(`index = [{ url = "${special.url}" }]`) }),
    version: '1.5',
  },
  {
    title: 'a file uv.toml',
    write: () => ({ 'uv.toml': 'constraint-dependencies = ["demo<2"]\n' }),
    version: '1.0',
  },
];
for (const { title, write, version } of SETTINGS) {
  test(`resolves again for ${title} in the settings of uv, but not for unchanged ones`, async (t) => {
    const at = await place(t, ['demo']);
    assert.equal(await at.locked(), 'demo==2.0\n');
    at.project.write(write(at));
    assert.equal(await at.locked(), `demo==${version}\n`);
    for (const index of [at.ordinary, at.special]) index.requests.length = 0;
    assert.equal(await at.locked(), `demo==${version}\n`);
    assert.deepEqual([...at.ordinary.requests, ...at.special.requests], []);
  });
}

test('does not resolve again for settings of uv that have no effect on versions, or for another user of an index', async (t) => {
  const at = await place(t, ['demo']);
  at.project.write({ 'pyproject.toml': uvTable('managed = false') });
  await at.locked();
  const lock = readFileSync(path.join(at.project.root, 'pylock.toml'), 'utf8');
  const inputs = [1, 'x86_64-manylinux_2_28', '3.11', ['demo'], [], []];
  assert.match(lock, new RegExp(`inputs = "${hash('sha256', JSON.stringify(inputs))}"`));
  const secured = await packageIndex({ login: 'me:canary-word' });
  t.after(() => secured.close());
  secured.add({ name: 'demo', version: '1.5' });
  at.project.write({ 'pyproject.toml': uvTable(`index = [{ url = "${secured.url}" }]`) });
  assert.equal(await at.locked(), 'demo==1.5\n');
  const { length } = secured.requests;
  const url = secured.url.replace('canary-word', 'other-word');
  at.project.write({ 'pyproject.toml': uvTable(`index = [{ url = "${url}" }]`) });
  assert.equal(await at.locked(), 'demo==1.5\n');
  assert.equal(secured.requests.length, length);
});

function uvTable(text: string): string {
  return `[tool.toolkit]\npython = "3.11"\n[tool.uv]\n${text}\n`;
}

test('builds a package with only a source distribution from the index of its source', async (t) => {
  const at = await place(t, ['pure']);
  at.special.addSource({ name: 'pure' });
  at.project.write(pyproject('pure = { index = "special" }', explicit(at)));
  assert.equal(await at.locked(), 'pure==1.0\n');
});

test('takes a package from the address of its source', async (t) => {
  const at = await place(t, ['demo']);
  at.project.write(pyproject(`demo = { url = "${at.special.address('demo-1.5-py3-none-any.whl')}" }`));
  assert.equal(await at.locked(), 'demo==1.5\n');
});

test('takes a package from the wheel of its source, which the lock names relative to the project', async (t) => {
  const at = await place(t, ['demo']);
  writeWheel(path.join(at.project.root, 'wheels'), { name: 'demo', version: '3.0' });
  at.project.write(pyproject('demo = { path = "wheels/demo-3.0-py3-none-any.whl" }'));
  assert.equal(await at.locked(), 'demo==3.0\n');
  assert.equal(await at.locked(), 'demo==3.0\n', 'and from the lock again');
  const lock = readFileSync(path.join(at.project.root, 'pylock.toml'), 'utf8');
  assert.match(lock, /path = "wheels\/demo-3\.0-py3-none-any\.whl"/);
  assert.ok(!lock.includes(at.project.root));
});

const REFUSED: { title: string; source: string; says: string; hint: RegExp }[] = [
  {
    title: 'a repository',
    source: 'demo = { git = "https://example.org/demo.git", tag = "v1" }',
    says: 'pyproject.toml: In [tool.uv.sources], the source of demo is a repository, which a build cannot install.',
    hint: /^Use the archive of a tag instead: \{ url = /,
  },
  {
    title: 'a local folder',
    source: 'demo = { path = "packages/demo", editable = true }',
    says: 'pyproject.toml: In [tool.uv.sources], the source of demo is a local folder, which a build cannot install.',
    hint: /^Build a wheel of it with "uv build --wheel"/,
  },
  {
    title: 'the workspace',
    source: 'demo = { workspace = true }',
    says: 'pyproject.toml: In [tool.uv.sources], the source of demo is the workspace, which a build cannot install.',
    hint: /^Build a wheel of it/,
  },
  {
    title: 'an extra',
    source: 'demo = [{ index = "special", extra = "gpu" }]',
    says: 'pyproject.toml: [tool.uv.sources] sets a source of demo only for the extra "gpu", which a build does not support.',
    hint: /^Remove "extra" from the source\.$/,
  },
];
for (const { title, source, says, hint } of REFUSED) {
  test(`a source that is ${title} is refused only for a required package`, async (t) => {
    const at = await place(t, ['demo']);
    at.project.write({ ...pyproject(source, explicit(at)), 'packages/demo/pyproject.toml': '' });
    await assert.rejects(at.locked(), { code: 'REQUIREMENT_INVALID', message: says, hint });
    at.project.write({ 'worker.py': queueWorker('one', 'dependencies=["other"]') });
    assert.equal(await at.locked(), 'other==1.0\n');
  });
}

const INVALID: { title: string; tables: string; says: string }[] = [
  {
    title: 'text as the source of another package',
    tables: '[tool.uv.sources]\ndemo = { index = "special" }\nother = "x"',
    says: 'In [tool.uv.sources], the source of other must be a table or a list of tables.',
  },
  {
    title: 'a number as the source',
    tables: '[tool.uv.sources]\ndemo = 5',
    says: 'In [tool.uv.sources], the source of demo must be a table or a list of tables.',
  },
  {
    title: 'a source without entries',
    tables: '[tool.uv.sources]\ndemo = []',
    says: 'In [tool.uv.sources], the list of demo is empty.',
  },
  {
    title: 'a number as the path of a source in a list',
    tables: '[tool.uv.sources]\ndemo = [{ index = "special" }, { path = 5 }]',
    says: 'In [tool.uv.sources], "path" of demo must be a string.',
  },
  {
    title: 'a list instead of the table of sources',
    tables: '[[tool.uv.sources]]\ndemo = { index = "special" }',
    says: '[tool.uv.sources] must be a table.',
  },
  {
    title: 'an index without an address',
    tables: '[[tool.uv.index]]\nname = "special"',
    says: '[[tool.uv.index]] must be a list of tables, each with a "url".',
  },
];
for (const { title, tables, says } of INVALID) {
  test(`never takes a package from the usual index because of ${title}`, async (t) => {
    const at = await place(t, ['demo']);
    at.project.write({ 'pyproject.toml': `[tool.toolkit]\npython = "3.11"\n${tables}\n` });
    await assert.rejects(at.locked(), { code: 'PROJECT_CONFIG', message: `pyproject.toml: ${says}` });
    assert.deepEqual(at.ordinary.requests, []);
  });
}

test('accepts every kind of source that uv knows for a package that is not required', async (t) => {
  const at = await place(t, ['other']);
  const kinds = [
    '{ git = "https://example.org/a.git", rev = "1", subdirectory = "a", lfs = true }',
    '{ git = "https://example.org/a.git", branch = "b" }',
    '{ url = "https://example.org/a.tar.gz", subdirectory = "a" }',
    '{ path = "packages/a", editable = true }',
    '{ path = "packages/a", package = false }',
    '{ workspace = true }',
    '{ workspace = "../other" }',
    '[{ index = "special", extra = "gpu" }, { index = "special", group = "dev" }]',
  ];
  const sources = kinds.map((kind, position) => `a${position} = ${kind}`).join('\n');
  at.project.write(pyproject(sources, explicit(at)));
  assert.equal(await at.locked(), 'other==1.0\n');
});

test('an unknown field of a source is named as a fault of pyproject.toml', async (t) => {
  const at = await place(t, ['demo']);
  at.project.write(pyproject('demo = { idnex = "special" }', explicit(at)));
  await assert.rejects(at.locked(), {
    code: 'PROJECT_CONFIG',
    message:
      /^pyproject\.toml: \[tool\.uv\.sources\] or \[\[tool\.uv\.index\]\] is invalid: unknown field "idnex", expected one of "git",.*\.$/,
  });
});

test('a local folder with a marker that is true for Linux is refused', async (t) => {
  const at = await place(t, ['demo']);
  const source = `demo = [{ path = "packages/demo", marker = "sys_platform == 'linux'" }]`;
  at.project.write({
    ...pyproject(source),
    'packages/demo/pyproject.toml': '[project]\nname = "demo"\nversion = "7"\n',
  });
  await assert.rejects(at.locked(), {
    code: 'REQUIREMENT_INVALID',
    message: 'The source of demo is a local folder, which a build cannot install.',
  });
});
