/** What `toolkit build` reports about excluded packages. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, it } from 'node:test';
import { queueWorker } from '../build/projects.ts';
import { writeWheel } from '../build/wheels.ts';
import { workbench, writeProject } from '../setup/toolkit.ts';

const bench = workbench({ after });

it('distinguishes packages of the base image from packages that only --exclude leaves out', async () => {
  const project = path.join(bench.folder, 'app');
  writeProject(project, {
    'worker.py': queueWorker('one', 'dependencies=["demo", "numpy", "other"]'),
    'pyproject.toml': '[tool.toolkit]\npython = "3.11"\n',
  });
  const links = path.join(bench.folder, 'links');
  for (const name of ['demo', 'numpy', 'other']) writeWheel(links, { name });
  const env = { PIP_FIND_LINKS: links, PIP_NO_INDEX: '1' };
  const built = await bench.toolkit(project, ['build', '--exclude', 'demo'], { env });
  assert.equal(built.code, 0, built.stdout + built.stderr);
  assert.match(built.stdout, /^ {2}taken from the base image: numpy$/m);
  assert.match(built.stdout, /^ {2}excluded by --exclude: demo \(not in the base image either\)$/m);
});
