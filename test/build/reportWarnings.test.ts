/** The warnings of a project that a build reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_LISTED } from '../../runtime/build/refuseErrors.ts';
import { reportWarnings } from '../../runtime/build/reportWarnings.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { scratch, writeTree } from './scratch.ts';

/** What a build reports of a project with so many warnings. */
async function reported(count: number): Promise<string[]> {
  const root = scratch('warnings');
  const unused = Array.from(
    { length: count },
    (_, at) => `api${at} = Endpoint(name="e${at}", cpu="cpu3c-1-2")\n`,
  );
  writeTree(root, {
    'pyproject.toml': '[tool.toolkit]\n',
    'a.py': `from toolkit_sdk import Endpoint\n\n${unused.join('')}`,
  });
  const messages: string[] = [];
  reportWarnings(await readProject({ root }), (event) => {
    if (event.type === 'warning') messages.push(event.message);
  });
  return messages;
}

test('as many warnings as fit are reported with their places', async () => {
  const messages = await reported(MOST_LISTED);
  assert.equal(messages.length, MOST_LISTED);
  assert.match(messages[0]!, /^a\.py:3:8: /);
});

for (const [more, says] of [
  [1, 'The project has 1 more warning. Run "toolkit check" to list it.'],
  [2, 'The project has 2 more warnings. Run "toolkit check" to list them.'],
] as const)
  test(`${more} more than fit are only counted`, async () => {
    const messages = await reported(MOST_LISTED + more);
    assert.deepEqual(messages.slice(MOST_LISTED), [says]);
  });
