/** A lock whose packages are files of the project is valid for every copy of the project. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { makeProject, queueWorker, readArchived, shareUv } from './projects.ts';
import { scratch, writeTree } from './scratch.ts';
import { wheelBytes, writeWheel } from './wheels.ts';

test('a lock made with --find-links works in another copy of the project', async () => {
  const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') }, []);
  project.write({
    'requirements.txt': '--find-links my wheels\n',
    'my wheels/demo-1.0-py3-none-any.whl': wheelBytes({ name: 'demo' }),
  });
  await project.build();
  const lock = readFileSync(path.join(project.root, 'pylock.toml'), 'utf8');
  assert.match(lock, /path = "my wheels\/demo-1\.0-py3-none-any\.whl"/);
  assert.ok(!lock.includes(project.root), lock);

  const copy = path.join(scratch(), 'copy');
  cpSync(project.root, copy, { recursive: true });
  // If the copy resolved again, it would take a later version.
  cpSync(
    path.join(copy, 'my wheels/demo-1.0-py3-none-any.whl'),
    path.join(copy, 'my wheels/demo-2.0-py3-none-any.whl'),
  );
  const again = await project.build({ reading: await readProject({ root: copy }) });
  assert.equal(readArchived(again.artifact, 'requirements.txt'), 'demo==1.0\n');
  assert.equal(readFileSync(path.join(copy, 'pylock.toml'), 'utf8'), lock);

  const worker = queueWorker('one', 'dependencies=["demo<9"]');
  writeTree(copy, { 'worker.py': worker });
  const changed = await project.build({ reading: await readProject({ root: copy }) });
  assert.equal(readArchived(changed.artifact, 'requirements.txt'), 'demo==1.0\n', 'its versions are kept');
});

test('the path of a project can contain what requirements files give a meaning', async () => {
  const project = makeProject({ 'worker.py': queueWorker('one') }, []);
  project.write({
    'requirements.txt': '--find-links wheels\ndemo\n',
    'wheels/demo-1.0-py3-none-any.whl': wheelBytes({ name: 'demo' }),
  });
  const root = path.join(scratch(), 'a #1 ${HOME}');
  cpSync(project.root, root, { recursive: true });
  for (const upgrade of [false, true]) {
    const built = await project.build({ reading: await readProject({ root }), upgrade });
    assert.equal(readArchived(built.artifact, 'requirements.txt'), 'demo==1.0\n');
  }
  assert.match(
    readFileSync(path.join(root, 'pylock.toml'), 'utf8'),
    /path = "wheels\/demo-1\.0-py3-none-any\.whl"/,
  );
});

test('a wheel outside the project is named by its absolute path', async () => {
  const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') }, [
    { name: 'demo' },
  ]);
  await project.build();
  const lock = readFileSync(path.join(project.root, 'pylock.toml'), 'utf8');
  assert.ok(lock.includes(`path = "${project.links}/demo-1.0-py3-none-any.whl"`), lock);
});

const PLACES = [
  { title: 'a folder with wheels', requirements: () => '--find-links wheels\ndemo\n' },
  {
    title: 'an address',
    requirements: (root: string) => `demo @ file://${root}/wheels/demo-1.0-py3-none-any.whl\n`,
  },
];
for (const { title, requirements } of PLACES) {
  test(`a wheel from ${title} that is rebuilt under the same version replaces the one that was built before`, async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') }, []);
    const rebuild = (code: string) =>
      project.write({
        'wheels/demo-1.0-py3-none-any.whl': wheelBytes({ name: 'demo', files: { 'demo.py': code } }),
      });
    const shipped = async (toolkitHome = project.home) => {
      await shareUv(toolkitHome);
      const { artifact } = await project.build({ toolkitHome });
      return readArchived(artifact, '_toolkit/dependencies/all/demo.py');
    };
    project.write({ 'requirements.txt': requirements(project.root) });
    rebuild('x = 1\n');
    assert.equal(await shipped(), 'x = 1\n');
    rebuild('x = 2\n');
    assert.equal(await shipped(), 'x = 2\n');
    rebuild('x = 3\n');
    assert.equal(await shipped(path.join(scratch(), 'home')), 'x = 3\n', 'and with an empty cache');
  });
}

test('the lock is renewed when a variable in the address of a wheel changes', async () => {
  const project = makeProject({ 'worker.py': queueWorker('one') }, []);
  for (const folder of ['a', 'b']) {
    const files = { 'demo.py': `x = '${folder}'\n` };
    writeWheel(path.join(project.links, folder), { name: 'demo', files });
  }
  project.write({ 'requirements.txt': 'demo @ file://${LINKS}/demo-1.0-py3-none-any.whl\n' });
  const shipped = async (folder: string) => {
    const env = { ...project.env, LINKS: path.join(project.links, folder) };
    const { artifact } = await project.build({ env });
    return readArchived(artifact, '_toolkit/dependencies/all/demo.py');
  };
  assert.equal(await shipped('a'), "x = 'a'\n");
  assert.equal(await shipped('b'), "x = 'b'\n");
});
