/**
 * Checks that nothing is reported in a package's files, used as a project's own: alone, and next to endpoints
 * that use it.
 */
import assert from 'node:assert/strict';
import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { readProject } from '../../runtime/source/readProject.ts';
import { describeEndpoint, makeFolder, writeProject } from './checkProject.ts';
import { endpointsOf, modulesOf } from './packageModules.ts';
import type { Package } from './packages.ts';

/** Instances with names that applications and routers commonly have. */
const INSTANCES = ['api', 'app', 'bp', 'router'];
const OWN = `from toolkit_sdk import Endpoint
${INSTANCES.map((name) => `${name} = Endpoint(name="own-${name}", workers=1)`).join('\n')}
${INSTANCES.map((name) => `@${name}.get("/own")\ndef own_${name}():\n    """Tells."""`).join('\n')}
`;

/** The file with endpoints that use a package. */
export const USES = 'uses_package.py';

/** A project whose own files are a package's. */
function projectOf({ folder }: Package): string {
  const project = makeFolder();
  // A distribution contains files that its repository ignores.
  for (const entry of readdirSync(folder).filter((name) => name !== '.gitignore'))
    symlinkSync(path.join(folder, entry), path.join(project, entry));
  return project;
}

/** Checks that a package has no findings and no declarations. */
export async function checkAlone(one: Package): Promise<void> {
  const reading = await readProject({ root: projectOf(one) });
  assert.deepEqual(reading.diagnostics, []);
  assert.deepEqual(reading.endpoints, []);
  assert.ok(reading.files >= one.files, `${reading.files} files`);
}

/**
 * Checks that a package has no findings next to endpoints whose imports resolve to its modules and values.
 *
 * @returns The project's root.
 */
export async function checkBeside(one: Package): Promise<string> {
  const { text, env } = endpointsOf(modulesOf(one.folder));
  const root = writeProject({ 'own_endpoints.py': OWN, [USES]: text }, projectOf(one));
  const reading = await readProject({ root });
  assert.deepEqual(reading.diagnostics, []);
  assert.deepEqual(
    reading.endpoints.slice(0, INSTANCES.length).map(describeEndpoint),
    INSTANCES.map(
      (instance, at) =>
        `load-balanced | own-${instance} | own_endpoints.py:${at + 2} | ANY | 0-1 | GET /own own_endpoints:own_${instance}:${at * 3 + 6}`,
    ),
  );
  assert.deepEqual(
    reading.endpoints
      .slice(INSTANCES.length)
      .map(({ file, name, env, dynamic }) => [file, name, env, dynamic]),
    [
      [USES, 'use', env, []],
      [USES, 'model', {}, []],
    ],
  );
  const imports = await reading.importsOf(USES);
  const lost = imports.filter(({ module, file }) => file === null && module !== 'toolkit_sdk');
  assert.deepEqual(lost, []);
  return root;
}
