/** The project's own settings of uv: a build follows those that decide where packages come from, and never ignores a wrong one. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { indexed } from './indexedProject.ts';
import { readArchived } from './projects.ts';
import { writeWheel } from './wheels.ts';

const HEAD = '[tool.toolkit]\npython = "3.11"\n';

const INVALID: { title: string; files: Record<string, string>; message: RegExp }[] = [
  {
    title: 'a value in [tool.uv]',
    files: { 'pyproject.toml': `${HEAD}[tool.uv]\nresolution = "newest"\n` },
    message: /^pyproject\.toml: \[tool\.uv\] is invalid on line 4: unknown variant "newest", expected .*\.$/,
  },
  {
    title: 'a value in [tool.uv] of a package that the index does not have',
    files: {
      'pyproject.toml': `${HEAD}[tool.uv]\nindex = [{ url = "https://example.org/simple", explicit = 5 }]\n`,
      'requirements.txt': 'absent\n',
    },
    message:
      /^pyproject\.toml: \[tool\.uv\] is invalid on line 4: invalid type: integer "5", expected a boolean\.$/,
  },
  {
    title: 'an unknown setting in [tool.uv]',
    files: { 'pyproject.toml': `${HEAD}[[tool.uv.indx]]\nurl = "https://example.org/simple"\n` },
    message: /^pyproject\.toml: \[tool\.uv\] is invalid on line 3: unknown field "indx", expected .*…\.$/,
  },
  {
    title: 'a value in uv.toml',
    files: { 'uv.toml': 'index = 5\n' },
    message: /^uv\.toml is invalid on line 1: invalid type: integer "5", expected a sequence\.$/,
  },
  {
    title: 'a setting in uv.toml that only pyproject.toml can have',
    files: { 'uv.toml': 'managed = true\n' },
    message: /^uv\.toml is invalid: The "managed" field is not allowed in a "uv\.toml" file\./,
  },
  {
    title: 'a package in the lock of another tool',
    files: { 'pylock.toml': 'lock-version = "1.0"\ncreated-by = "x"\n[[packages]]\nname = 5\n' },
    message: /^pylock\.toml cannot be used: invalid type: integer "5", expected a string\.$/,
  },
];
for (const { title, files, message } of INVALID) {
  test(`names the file and uv's reason for ${title}, and does not continue without it`, async (t) => {
    const { project, index, env } = await indexed(t, ['demo']);
    project.write(files);
    const building = project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    await assert.rejects(building, { code: 'PROJECT_CONFIG', message });
  });
}

/** A project that requires `app`, which requires `demo`, and on Windows a package that its index does not have. */
async function appProject(t: TestContext) {
  const { project, index, env, userHome } = await indexed(t, ['app', "absent; sys_platform == 'win32'"]);
  index.add({ name: 'app', requires: ['demo'], files: { 'app.py': '' } });
  const build = () => project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
  const lock = async () => {
    await build();
    const text = readFileSync(path.join(project.root, 'pylock.toml'), 'utf8');
    return text.replace(/^inputs = .*$/m, '');
  };
  return { project, userHome, build, lock };
}

const FORMS = [
  'no-annotate = true',
  'universal = true',
  'generate-hashes = true',
  'no-emit-package = ["demo"]',
  'extra = ["gpu"]',
  'all-extras = true',
  'group = ["dev"]',
];
for (const setting of FORMS) {
  test(`locks the same packages with ${setting} in [tool.uv.pip]`, async (t) => {
    const { project, lock } = await appProject(t);
    const plain = await lock();
    assert.match(plain, /dependencies\]\]/);
    project.write({ 'pyproject.toml': `${HEAD}[tool.uv.pip]\n${setting}\n` });
    assert.equal(await lock(), plain);
    project.write({ 'pyproject.toml': HEAD, 'uv.toml': `[pip]\n${setting}\n` });
    assert.equal(await lock(), plain, 'also in uv.toml');
  });
}

test("locks the same packages with the user's own settings of uv's output", async (t) => {
  const { project, userHome, lock } = await appProject(t);
  const settings = 'no-annotate = true\nuniversal = true\ngenerate-hashes = true\nall-extras = true\n';
  writeFileSync(path.join(userHome, '.config/uv/uv.toml'), `[pip]\n${settings}`);
  const locked = await lock();
  writeFileSync(path.join(userHome, '.config/uv/uv.toml'), '');
  rmSync(path.join(project.root, 'pylock.toml'));
  assert.equal(locked, await lock());
});

test('follows the other settings next to those of the output, with paths of the project', async (t) => {
  const { project, build } = await appProject(t);
  for (const [folder, version] of [
    ['wheels', '3.0'],
    ['more', '4.0'],
    ['rest', '5.0'],
  ] as const) {
    writeWheel(path.join(project.root, folder), { name: 'demo', version });
  }
  const versions = async (settings: string) => {
    project.write({ 'pyproject.toml': `${HEAD}${settings}\n[tool.uv.pip]\nno-emit-package = ["app"]\n` });
    return readArchived((await build()).artifact, 'requirements.txt');
  };
  const links = (folder: string) => `find-links = ["${folder}"]\nno-emit-package = ["app"]\n`;
  project.write({ 'pyproject.toml': `${HEAD}[tool.uv.pip]\n${links('wheels')}` });
  assert.equal(readArchived((await build()).artifact, 'requirements.txt'), 'app==1.0\ndemo==3.0\n');
  assert.equal(await versions('[tool.uv]\nfind-links = ["more"]'), 'app==1.0\ndemo==4.0\n');
  const index = '[[tool.uv.index]]\nurl = "rest"\nformat = "flat"';
  assert.equal(await versions(index), 'app==1.0\ndemo==5.0\n');
});

test('names the file of a wrong setting next to one of the output', async (t) => {
  const { project, build } = await appProject(t);
  const settings = 'resolution = "newest"\n';
  const reason = 'unknown variant "newest", expected one of "highest", "lowest", "lowest-direct".';
  project.write({ 'pyproject.toml': `${HEAD}[tool.uv.pip]\nno-annotate = true\n${settings}` });
  await assert.rejects(build(), { message: `pyproject.toml: [tool.uv] is invalid: ${reason}` });
  project.write({ 'uv.toml': `${settings}[pip]\nno-annotate = true\n` });
  await assert.rejects(build(), { message: `uv.toml is invalid: ${reason}` });
});

test('names the file of a wrong setting relative to a project behind a link', async (t) => {
  const { project, index, env } = await indexed(t, ['demo']);
  project.write({ 'uv.toml': 'index = 5\n' });
  const link = path.join(project.root, '../link');
  symlinkSync(project.root, link);
  const reading = await readProject({ root: link });
  const building = project.build({
    env: { ...env, UV_DEFAULT_INDEX: index.url },
    reading: { ...reading, root: link },
  });
  await assert.rejects(building, { message: /^uv\.toml is invalid on line 1: / });
});
