/** A project whose packages come only from an index over HTTP. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { type PackageIndex, packageIndex } from './packageIndex.ts';
import { makeProject, type Project, queueWorker } from './projects.ts';

/** A package that every index has. */
export const DEMO = { name: 'demo', files: { 'demo.py': 'x = 1\n' } };

/**
 * An index with the demo package, and a project that requires `dependencies` from it. Its home has none of the user's
 * settings.
 */
export async function indexed(
  t: TestContext,
  dependencies: string[],
  options: Parameters<typeof packageIndex>[0] = {},
): Promise<{ project: Project; index: PackageIndex; env: NodeJS.ProcessEnv; userHome: string }> {
  const index = await packageIndex(options);
  t.after(() => index.close());
  index.add(DEMO);
  const project = makeProject(
    { 'worker.py': queueWorker('one', `dependencies=${JSON.stringify(dependencies)}`) },
    [],
  );
  const userHome = path.join(project.home, '../user');
  mkdirSync(path.join(userHome, '.config/uv'), { recursive: true });
  const { PIP_FIND_LINKS: _links, PIP_NO_INDEX: _none, ...rest } = project.env;
  const env = {
    ...rest,
    HOME: userHome,
    PIP_CONFIG_FILE: path.join(userHome, 'pip.conf'),
    UV_HTTP_RETRIES: '0',
  };
  return { project, index, env, userHome };
}
