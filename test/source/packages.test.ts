/**
 * Packages that have nothing to do with the toolkit: no finding and no declaration in any of their files, alone and
 * beside endpoints of the project.
 */
import assert from 'node:assert/strict';
import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { describeEndpoint, makeFolder, writeProject } from './checkProject.ts';
import { ensurePackages, PACKAGES, packageFolder } from './packages.ts';

/** Instances with the names that applications and routers usually have. */
const INSTANCES = ['api', 'app', 'bp', 'router'];
const OWN = `from toolkit_sdk import Endpoint
${INSTANCES.map((name) => `${name} = Endpoint(name="own-${name}", workers=1)`).join('\n')}
${INSTANCES.map((name) => `@${name}.get("/own")\ndef own_${name}():\n    """Tells."""`).join('\n')}
`;

/** A project that has a package's files as its own. */
function projectOf(distribution: string): string {
  const project = makeFolder();
  const unpacked = packageFolder(distribution);
  // What their repositories leave out stands in the distribution all the same.
  for (const entry of readdirSync(unpacked).filter((name) => name !== '.gitignore'))
    symlinkSync(path.join(unpacked, entry), path.join(project, entry));
  return project;
}

describe('packages that have nothing to do with the toolkit', () => {
  before(ensurePackages);

  for (const [distribution, files] of PACKAGES) {
    const name = distribution.split('-', 1)[0]!;

    it(`${name}: nothing is found, and nothing is declared`, async () => {
      const reading = await readProject({ root: projectOf(distribution) });
      assert.deepEqual(reading.diagnostics, []);
      assert.deepEqual(reading.endpoints, []);
      assert.ok(reading.files >= files, `${reading.files} files`);
    });

    it(`${name}: nothing is found beside endpoints of the project`, async () => {
      const project = writeProject({ 'own_endpoints.py': OWN }, projectOf(distribution));
      const reading = await readProject({ root: project });
      assert.deepEqual(reading.diagnostics, []);
      assert.deepEqual(
        reading.endpoints.map(describeEndpoint),
        INSTANCES.map(
          (instance, at) =>
            `load-balanced | own-${instance} | own_endpoints.py:${at + 2} | ANY | 0-1 | GET /own own_endpoints:own_${instance}:${at * 3 + 6}`,
        ),
      );
    });
  }
});
