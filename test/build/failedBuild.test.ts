/** Builds that fail or are interrupted. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { app } from './exampleApp.ts';
import { makeProject, queueWorker } from './projects.ts';

describe('a build that fails', () => {
  const FAILURES: { title: string; change: Record<string, string>; code: string; message: RegExp }[] = [
    {
      title: 'on a file that does not parse',
      change: { 'other.py': 'from toolkit_sdk import Endpoint\ndef (:\n' },
      code: 'PROJECT_HAS_ERRORS',
      message: /^other\.py:2:/,
    },
    {
      title: 'on a value known only at run time',
      change: { 'other.py': queueWorker('other', 'workers=count()') },
      code: 'PROJECT_HAS_ERRORS',
      message:
        /^other\.py:4:\d+: Cannot determine the value of workers without running the code, so this endpoint cannot be built\.$/,
    },
    {
      title: 'on a package that does not exist',
      change: { 'other.py': queueWorker('other', 'dependencies=["no-such-package"]') },
      code: 'DEPENDENCY_UNRESOLVED',
      message: /no-such-package \(required by the endpoint "other" \(other\.py:4\)\) does not exist/,
    },
    {
      title: 'on no endpoints',
      change: { 'worker.py': 'x = 1\n' },
      code: 'NO_ENDPOINTS',
      message: /^No @Endpoint functions were found/,
    },
  ];
  for (const { title, change, code, message } of FAILURES) {
    test(`${title} leaves the last good artifact and no build folder`, async () => {
      const project = makeProject({ 'worker.py': queueWorker('one') });
      const good = await project.build();
      project.write(change);
      await assert.rejects(project.build(), { name: 'ToolkitError', code, message });
      assert.equal(hash('sha256', readFileSync(good.artifact)), good.sha256);
      assert.ok(!existsSync(path.join(project.root, '.toolkit/.build')));
    });
  }

  test('advises on decorator syntax and ignore files when there are no endpoints', async () => {
    const project = makeProject({ 'worker.py': 'x = 1\n' });
    await assert.rejects(project.build(), {
      hint: /decorator syntax.*not excluded by \.gitignore, \.toolkitignore or the built-in ignore patterns/,
    });
  });

  test('undoes its work when interrupted, at any moment', async () => {
    const project = app();
    const good = await project.build();
    rmSync(path.join(project.home, 'cache/parts'), { recursive: true });
    for (const step of [0, 1, 2]) {
      const controller = new AbortController();
      if (step === 0) controller.abort();
      rmSync(path.join(project.root, 'pylock.toml'), { force: true });
      let seen = 0;
      const report = () => {
        seen += 1;
        if (seen === step) controller.abort();
      };
      await assert.rejects(project.build({ signal: controller.signal, report }), { code: 'INTERRUPTED' });
      assert.equal(hash('sha256', readFileSync(good.artifact)), good.sha256);
      assert.ok(!existsSync(path.join(project.root, '.toolkit/.build')));
    }
    assert.deepEqual(readdirSync(path.join(project.home, 'cache/parts')), []);
  });
});
