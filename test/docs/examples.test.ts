/** The Python examples in the README and the pages for users are declarations that the toolkit accepts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { writeProject } from '../source/checkProject.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'docs/dependencies.md',
  'docs/endpoint.md',
  'docs/marketplace.md',
  'docs/scripts.md',
  'docs/secrets.md',
];

/** The Python examples of a page as files of one project. A first line such as `# api.py` names the file. */
function examplesOf(page: string): Record<string, string> {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```python\n(.*?)^```/gms)].map(([, block]) => block!);
  assert.ok(blocks.length > 0, `no examples in ${page}`);
  return Object.fromEntries(
    blocks.map((block, at) => [/^# (\w+\.py)/.exec(block)?.[1] ?? `example_${at}.py`, block]),
  );
}

describe('the Python examples', () => {
  for (const page of PAGES) {
    it(`of ${page} import what they use and can be built`, async () => {
      const root = writeProject(examplesOf(page));
      const { diagnostics } = await readProject({ root, env: { API_TOKEN: 'secret' } });
      const stops = diagnostics.filter(
        ({ severity, code }) => severity !== 'hint' || code === 'dynamic-value',
      );
      assert.deepEqual(stops, []);
    });
  }
});
