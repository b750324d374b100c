/** Packages that workers get from the base image. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listArchive, makeProject, queueWorker } from './projects.ts';

describe('packages of the base image', () => {
  const wheels = [
    { name: 'torch', version: '2.1', files: { 'torch.py': '' }, requires: ['numpy', 'sympy'] },
    { name: 'numpy', version: '1.26', files: { 'numpy.py': '' } },
    { name: 'sympy', files: { 'sympy.py': '' }, requires: ['mpmath'] },
    { name: 'mpmath', files: { 'mpmath.py': '' } },
    { name: 'transformers', files: { 'transformers.py': '' }, requires: ['torch', 'tokenizers', 'numpy'] },
    { name: 'tokenizers', files: { 'tokenizers.py': '' } },
  ];
  const shippedModules = (artifact: string) =>
    listArchive(artifact)
      .flatMap((name) => /^_toolkit\/dependencies\/all\/(\w+)\.py$/.exec(name)?.[1] ?? [])
      .sort();

  test('are left out together with what only they require, and are recorded', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["transformers"]') }, wheels);
    const built = await project.build();
    assert.deepEqual(shippedModules(built.artifact), ['tokenizers', 'transformers']);
    assert.deepEqual(built.excluded, ['mpmath', 'numpy', 'sympy', 'torch']);
    assert.deepEqual(project.manifest().one!.baseLayer, [
      'mpmath==1.0',
      'numpy==1.26',
      'sympy==1.0',
      'torch==2.1',
    ]);
  });

  test('do not remove a dependency that is also declared', async () => {
    const project = makeProject(
      { 'worker.py': queueWorker('one', 'dependencies=["torch", "mpmath"]') },
      wheels,
    );
    const built = await project.build();
    assert.deepEqual(shippedModules(built.artifact), ['mpmath']);
    assert.deepEqual(project.manifest().one!.baseLayer, ['numpy==1.26', 'sympy==1.0', 'torch==2.1']);
  });

  test('are excluded in addition to what --exclude names, which the image does not have', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["transformers"]') }, wheels);
    const { artifact, excluded, events } = await project.build({ exclude: ['Tokenizers', 'unheard-of'] });
    assert.deepEqual(shippedModules(artifact), ['transformers']);
    assert.deepEqual(excluded, ['mpmath', 'numpy', 'sympy', 'tokenizers', 'torch']);
    assert.ok(!project.manifest().one!.baseLayer.includes('tokenizers==1.0'));
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(warnings, ['--exclude unheard-of: no dependency has this name.']);
  });
});
