/** Every file of large packages says the words of a declaration, so that each is parsed: still nothing is found. */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { ensurePackages, PACKAGES, packageFolder } from '../source/packages.ts';

const OWN = `from toolkit_sdk import Endpoint
api = Endpoint(name="api")
@api.get("/own")
def own():
    """Tells."""
`;

describe('packages whose every file is parsed', () => {
  before(ensurePackages);

  for (const [distribution, files] of PACKAGES) {
    it(`${distribution.split('-', 1)[0]}: nothing is found, and nothing is declared`, async () => {
      const project = makeFolder();
      cpSync(packageFolder(distribution), project, { recursive: true });
      for (const file of readdirSync(project, { recursive: true, encoding: 'utf8' }))
        if (file.endsWith('.py')) appendFileSync(path.join(project, file), '\n# toolkit_sdk Endpoint\n');
      const reading = await readProject({ root: writeProject({ 'own_endpoints.py': OWN }, project) });
      assert.deepEqual(reading.diagnostics, []);
      assert.deepEqual(
        reading.endpoints.map(({ name }) => name),
        ['api'],
      );
      assert.ok(reading.files > files, `${reading.files} files`);
    });
  }
});
