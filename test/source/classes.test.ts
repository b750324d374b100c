/**
 * The forms of a class that test/fixtures/classes.json lists: the reader accepts and refuses the same as
 * toolkit_sdk.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { countedFindings, writeProject } from './checkProject.ts';

interface ClassForm {
  title: string;
  source: string[];
  /** The served method of an accepted class. */
  method?: string;
  refused?: keyof typeof REASONS;
}

const REASONS = {
  none: ['many-functions', /has no public method of its own/],
  several: ['many-functions', /has \d public methods/],
  unbound: ['many-functions', /is a static or class method/],
  arguments: [
    'unsupported-form',
    /requires the argument \w+, but a worker creates its instance without arguments/,
  ],
} as const;

const FORMS = JSON.parse(
  readFileSync(new URL('../fixtures/classes.json', import.meta.url), 'utf8'),
) as ClassForm[];

describe('classes as endpoints', () => {
  for (const { title, source, method, refused } of FORMS) {
    it(`${method === undefined ? 'refuse' : 'serve'}: ${title}`, async () => {
      const text = ['from toolkit_sdk import Endpoint', ...source, ''].join('\n');
      const reading = await readProject({ root: writeProject({ 'a.py': text }), env: {} });
      const found = countedFindings(reading).map(({ code, message }) => [code, message] as const);
      if (method !== undefined) {
        assert.deepEqual(found, []);
        assert.equal(reading.endpoints[0]?.functions[0]?.name, method);
      } else {
        const [code, message] = REASONS[refused!];
        assert.deepEqual(
          found.map(([own]) => own),
          [code],
        );
        assert.match(found[0]![1], message);
      }
    });
  }
});
