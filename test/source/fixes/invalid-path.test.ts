import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';
import { HEAD, route } from './declarationCases.ts';

const BRANCHES = `import os
from toolkit_sdk import Endpoint
if os.environ.get("SMALL"):
    api = Endpoint(name="api")
else:
    api = Endpoint(name="api")
`;

describeFixes('invalid-path', [
  route('invalid-path', 'adds the slash', 'Change the path to "/a"', [
    '@api.get("a")\ndef a(): ...\n',
    '@api.get("/a")\ndef a(): ...\n',
  ]),
  {
    ...route('invalid-path', 'adds the slash for an instance in two branches', 'Change the path to "/a"', [
      '',
      '',
    ]),
    before: { 'a.py': `${BRANCHES}@api.get("a")\ndef a(): ...\n` },
    after: { 'a.py': `${BRANCHES}@api.get("/a")\ndef a(): ...\n` },
  },
  route('invalid-path', 'keeps the quotes', 'Change the path to "/a"', [
    "@api.get(path='a')\ndef a(): ...\n",
    "@api.get(path='/a')\ndef a(): ...\n",
  ]),
  route('invalid-path', 'adds a path', 'Change the path to "/a"', [
    '@api.get()\ndef a(): ...\n',
    '@api.get("/a")\ndef a(): ...\n',
  ]),
  route('invalid-path', 'adds brackets and a path', 'Change the path to "/a"', [
    '@api.get\ndef a(): ...\n',
    '@api.get("/a")\ndef a(): ...\n',
  ]),
  route('invalid-path', 'removes a query', 'Change the path to "/a"', [
    '@api.get("/a?x=1")\ndef a(): ...\n',
    '@api.get("/a")\ndef a(): ...\n',
  ]),
  route('invalid-path', 'names a parameter', 'Change the path to "/a/{item_id}"', [
    '@api.get("/a/{item-id}")\ndef a(item_id): ...\n',
    '@api.get("/a/{item_id}")\ndef a(item_id): ...\n',
  ]),
]);

describe('invalid-path does not change', () => {
  const cases: [shows: string, text: string][] = [
    ['a path that would be another route', '@api.get("/a")\ndef a(): ...\n@api.get("a")\ndef b(): ...\n'],
    ['a reserved path', '@api.get("ping")\ndef a(): ...\n'],
    ['a repeated parameter', '@api.get("/a/{x}/{x}")\ndef a(x): ...\n'],
  ];
  for (const [shows, text] of cases) {
    it(shows, async () => assert.deepEqual(await offered({ 'a.py': HEAD + text }, 'invalid-path'), []));
  }
});
