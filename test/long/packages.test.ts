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

/** Broken on purpose: with the words in it, that is to be told. */
const BROKEN: ReadonlySet<string> = new Set(['tests_syntax_error.py']);

describe('packages whose every file is parsed', () => {
  before(ensurePackages);

  for (const [distribution, files] of PACKAGES) {
    it(`${distribution.split('-', 1)[0]}: nothing is found, and nothing is declared`, async () => {
      const project = makeFolder();
      // What their repositories leave out stands in the distribution all the same.
      const filter = (source: string) => path.basename(source) !== '.gitignore';
      cpSync(packageFolder(distribution), project, { recursive: true, filter });
      for (const file of readdirSync(project, { recursive: true, encoding: 'utf8' }))
        if (file.endsWith('.py') && !BROKEN.has(path.basename(file)))
          appendFileSync(path.join(project, file), '\n# toolkit_sdk Endpoint\n');
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
