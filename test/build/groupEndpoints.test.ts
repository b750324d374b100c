/** Declarations of one name: routes of several files are one endpoint, everything else is a mistake. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupEndpoints } from '../../runtime/build/code/groupEndpoints.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { queueWorker } from './projects.ts';
import { scratch, writeTree } from './scratch.ts';

function routes(path: string, settings = 'cpu="cpu3c-1-2"'): string {
  return `from toolkit_sdk import Endpoint\n\napi = Endpoint(name="one", ${settings})\n\n\n@api.get("${path}")\ndef show() -> str:\n    return "x"\n`;
}

async function grouped(files: Record<string, string>) {
  const root = scratch('group');
  writeTree(root, { 'pyproject.toml': '[tool.toolkit]\n', ...files });
  return groupEndpoints((await readProject({ root })).endpoints);
}

test('routes of two files with the same settings are one endpoint', async () => {
  const [one, ...others] = await grouped({ 'a.py': routes('/a'), 'b.py': routes('/b') });
  assert.deepEqual(
    one?.routes.map(({ path }) => path),
    ['/a', '/b'],
  );
  assert.deepEqual(others, []);
});

test('the dependencies of two declarations are those of the endpoint', async () => {
  const needing = (name: string) => `cpu="cpu3c-1-2", dependencies=["${name}", "both"]`;
  const [one] = await grouped({
    'a.py': routes('/a', needing('numpy')),
    'b.py': routes('/b', needing('rich')),
  });
  assert.deepEqual(one?.dependencies, ['numpy', 'both', 'rich']);
});

const REFUSED = [
  {
    title: 'other settings',
    files: { 'a.py': routes('/a'), 'b.py': routes('/b', 'cpu="cpu3c-1-2", workers=2') },
    says: 'b.py:3: a.py:3 declares "one" with a different value of workers.',
  },
  {
    title: 'another kind',
    files: { 'a.py': routes('/a'), 'b.py': queueWorker('one') },
    says: 'b.py:4: "one" is also declared at a.py:3 as a load-balanced endpoint.',
  },
  {
    title: 'a second function',
    files: { 'a.py': queueWorker('one'), 'b.py': queueWorker('one') },
    says: 'b.py:4: "one" is also declared at a.py:4, but a queue-based endpoint serves exactly one function.',
  },
];
for (const { title, files, says } of REFUSED) {
  test(`a second declaration with ${title} is a mistake`, async () => {
    await assert.rejects(grouped(files), { code: 'PROJECT_HAS_ERRORS', message: says });
  });
}
