/** A lock whose packages are files of the project is valid for every copy of the project. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { makeProject, queueWorker, readArchived } from './projects.ts';
import { scratch, writeTree } from './scratch.ts';
import { wheelBytes } from './wheels.ts';

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
