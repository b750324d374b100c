/** A second `toolkit build`: the cost of an edit of code. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { queueWorker, shareUv } from '../build/projects.ts';
import { writeWheel } from '../build/wheels.ts';
import { workbench } from '../setup/toolkit.ts';

const bench = workbench({ after });

it('starts no process when only code has changed', async () => {
  const project = bench.project('app', { 'worker.py': queueWorker('one', 'dependencies=["demo"]') });
  const links = path.join(bench.folder, 'links');
  writeWheel(links, { name: 'demo' });
  const loaded = path.join(bench.folder, 'loaded.txt');
  const hook = path.join(bench.folder, 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync('${loaded}', process.moduleLoadList.join('\\n')));`,
  );
  // Its own cache: in the shared one, a build of another test at the same time can drop the version of Python.
  const home = path.join(bench.folder, 'own-home');
  await shareUv(home);
  const env = {
    TOOLKIT_HOME: home,
    PIP_FIND_LINKS: links,
    PIP_NO_INDEX: '1',
    NODE_OPTIONS: `--require ${hook}`,
  };
  const modulesOfBuild = async () => {
    const built = await bench.toolkit(project, ['build'], { env });
    assert.equal(built.code, 0, built.stdout + built.stderr);
    return readFileSync(loaded, 'utf8').split('\n');
  };
  // Without this module nothing can be started.
  const starter = 'NativeModule child_process';
  assert.ok((await modulesOfBuild()).includes(starter), 'the first build runs uv');
  writeFileSync(
    path.join(project, 'worker.py'),
    `${queueWorker('one', 'dependencies=["demo"]')}\n# Changed.\n`,
  );
  assert.ok(!(await modulesOfBuild()).includes(starter));
});
