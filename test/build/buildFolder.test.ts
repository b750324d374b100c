/** The folder in which a build works, and where its result is put. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { closeBuildDir, openBuildDir } from '../../runtime/build/buildDir.ts';
import { listArchive, makeProject, queueWorker } from './projects.ts';

describe('the build folder', () => {
  test('is kept on request and cleared by the next build', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    await project.build({ keepBuild: true });
    const folder = path.join(project.root, '.toolkit/.build');
    assert.ok(existsSync(path.join(folder, '_toolkit/handlers/one.py')));
    await project.build();
    assert.ok(!existsSync(folder));
  });

  test('is kept by the last of several builds that run at once', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    await Promise.all([1, 2, 3].map(() => project.build({ keepBuild: true })));
    const kept = readdirSync(path.join(project.root, '.toolkit/.build'));
    assert.deepEqual(
      kept.filter((name) => /^\d/.test(name)),
      [],
    );
    assert.ok(kept.includes('_toolkit'));
  });

  test('takes the files of builds that end at the same moment, whichever is last', async () => {
    const { root } = makeProject({});
    const keep = async () => {
      const folder = await openBuildDir(root);
      mkdirSync(path.join(folder, '_toolkit'));
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
        writeFileSync(path.join(folder, '_toolkit', name), name);
      await closeBuildDir(root, folder, true);
    };
    for (let round = 0; round < 200; round += 1) await Promise.all([keep(), keep(), keep()]);
    assert.deepEqual(readdirSync(path.join(root, '.toolkit/.build')), ['_toolkit']);
  });

  test('is cleared of what a killed build left behind', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const left = path.join(project.root, '.toolkit/.build/999999999-1');
    mkdirSync(left, { recursive: true });
    writeFileSync(path.join(left, 'artifact.tar.gz'), 'half');
    await project.build();
    assert.ok(!existsSync(path.join(project.root, '.toolkit/.build')));
  });

  test('is moved to another file system when --output names one', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const other = mkdtempSync('/dev/shm/toolkit-output-');
    try {
      assert.notEqual(statSync(other).dev, statSync(project.root).dev);
      const output = path.join(other, 'artifact.tar.gz');
      const { sha256 } = await project.build({ output });
      assert.equal(hash('sha256', readFileSync(output)), sha256);
      assert.deepEqual(readdirSync(other), ['artifact.tar.gz']);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  test('keeps the files of another build that is running', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const other = path.join(project.root, `.toolkit/.build/${process.pid}-0`);
    mkdirSync(other, { recursive: true });
    await project.build();
    assert.ok(existsSync(other));
  });

  test('packs a file that grows meanwhile, such as a log, as long as it was', async () => {
    const project = makeProject({
      'worker.py': queueWorker('one'),
      'run.log': Buffer.alloc(3_000_000, 'line'),
    });
    const log = path.join(project.root, 'run.log');
    const command = `while :; do echo line >> ${log}; done`;
    const writer = spawn('sh', ['-c', command], { stdio: 'ignore' });
    try {
      const { artifact } = await project.build();
      assert.ok(listArchive(artifact).includes('run.log'));
    } finally {
      writer.kill();
    }
  });
});
