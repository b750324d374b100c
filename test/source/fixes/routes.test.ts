import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';
import { describeFixes, type FixCase, offered } from './checkFix.ts';

const HEAD = 'from toolkit_sdk import Endpoint\napi = Endpoint(name="api")\n';

function route(
  code: DiagnosticCode,
  shows: string,
  title: string,
  [before, after]: readonly [string, string],
  more: Pick<FixCase, 'changes' | 'with'> = { changes: ['path', 'routes', 'dynamic', 'parameters'] },
): FixCase {
  return { shows, code, title, before: { 'a.py': HEAD + before }, after: { 'a.py': HEAD + after }, ...more };
}

describeFixes('valid-path', [
  route('invalid-path', 'adds the slash', 'Change the path to "/a"', [
    '@api.get("a")\ndef a(): ...\n',
    '@api.get("/a")\ndef a(): ...\n',
  ]),
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
  route('invalid-path', 'takes a query away', 'Change the path to "/a"', [
    '@api.get("/a?x=1")\ndef a(): ...\n',
    '@api.get("/a")\ndef a(): ...\n',
  ]),
  route('invalid-path', 'names a parameter', 'Change the path to "/a/{item_id}"', [
    '@api.get("/a/{item-id}")\ndef a(item_id): ...\n',
    '@api.get("/a/{item_id}")\ndef a(item_id): ...\n',
  ]),
]);

describe('valid-path leaves alone', () => {
  const cases: [shows: string, text: string][] = [
    ['a path that would be another route', '@api.get("/a")\ndef a(): ...\n@api.get("a")\ndef b(): ...\n'],
    ['a path that is reserved', '@api.get("ping")\ndef a(): ...\n'],
    ['a parameter that is there twice', '@api.get("/a/{x}/{x}")\ndef a(x): ...\n'],
  ];
  for (const [shows, text] of cases) {
    it(shows, async () => assert.deepEqual(await offered({ 'a.py': HEAD + text }, 'invalid-path'), []));
  }
});

describeFixes('other-path', [
  route('reserved-path', 'gives a path for health', 'Change the path to "/health"', [
    '@api.get("/ping")\ndef a(): ...\n',
    '@api.get("/health")\ndef a(): ...\n',
  ]),
  route('duplicate-route', "gives the function's path", 'Change the path to "/one/{x}"', [
    '@api.get("/a/{x}")\ndef one(x): ...\n@api.get("/a/{y}")\ndef two(y): ...\n',
    '@api.get("/one/{x}")\ndef one(x): ...\n@api.get("/a/{y}")\ndef two(y): ...\n',
  ]),
]);

describeFixes('match-route-parameter', [
  route('route-parameter-mismatch', 'writes the nearest parameter', 'Write {item_id} in the path', [
    '@api.get("/é/{itemid:int}")\ndef a(item_id: int): ...\n',
    '@api.get("/é/{item_id:int}")\ndef a(item_id: int): ...\n',
  ]),
  route('route-parameter-mismatch', 'adds the parameter', 'Add the parameter x to a', [
    '@api.get("/a/{x}")\ndef a(): ...\n',
    '@api.get("/a/{x}")\ndef a(x): ...\n',
  ]),
  route('route-parameter-mismatch', 'adds it before defaults', 'Add the parameter x to a', [
    '@api.get("/a/{x}")\ndef a(item: dict, n: int = 1): ...\n',
    '@api.get("/a/{x}")\ndef a(item: dict, x: str, n: int = 1): ...\n',
  ]),
  route('route-parameter-mismatch', 'adds it before what takes the rest', 'Add the parameter x to a', [
    '@api.get("/a/{x:int}")\ndef a(*, n=1): ...\n',
    '@api.get("/a/{x:int}")\ndef a(x: int, *, n=1): ...\n',
  ]),
]);

describeFixes('add-description', [
  route(
    'missing-description',
    'adds a docstring',
    'Add a description to detectFaces',
    [
      '@api.get("/a")\ndef detectFaces(\n    n,\n):  # see\n    # first\n    return n\n',
      '@api.get("/a")\ndef detectFaces(\n    n,\n):  # see\n    """Detect faces."""\n    # first\n    return n\n',
    ],
    { changes: ['description'] },
  ),
  route(
    'missing-description',
    'makes a block for it',
    'Add a description to list_all',
    [
      '@api.get("/a")\nasync def list_all() -> list: return []\n',
      '@api.get("/a")\nasync def list_all() -> list:\n    """List all."""\n    return []\n',
    ],
    { changes: ['description'] },
  ),
  {
    shows: 'describes a class, indented as the file is',
    code: 'missing-description',
    title: 'Add a description to FaceModel',
    before: {
      'a.py':
        'from toolkit_sdk import Endpoint\r\n@Endpoint()\r\nclass FaceModel:\r\n\tsize = 1\r\n\tdef run(self): return 1\r\n',
    },
    after: {
      'a.py':
        'from toolkit_sdk import Endpoint\r\n@Endpoint()\r\nclass FaceModel:\r\n\t"""Face model."""\r\n\tsize = 1\r\n\tdef run(self): return 1\r\n',
    },
    changes: ['description'],
  },
]);

describeFixes('silence', [
  route(
    'missing-description',
    'adds a comment',
    'Silence missing-description in this line',
    ['@api.get("/a")\ndef a(): ...', '@api.get("/a")\ndef a(): ...  # toolkit: ignore[missing-description]'],
    {},
  ),
  route(
    'missing-description',
    'goes on after a comment',
    'Silence missing-description in this line',
    [
      '@api.get("/a")\ndef a(): ...  # noqa\n',
      '@api.get("/a")\ndef a(): ...  # noqa  # toolkit: ignore[missing-description]\n',
    ],
    {},
  ),
  route(
    'missing-description',
    'adds a code to a comment',
    'Silence missing-description in this line',
    [
      '@api.get("/a")\ndef a(): ...  # toolkit: ignore[no-routes]\r\n',
      '@api.get("/a")\ndef a(): ...  # toolkit: ignore[no-routes, missing-description]\r\n',
    ],
    {},
  ),
  {
    shows: 'adds a comment in TOML',
    code: 'provided-by-image',
    title: 'Silence provided-by-image in this line',
    before: {
      'pyproject.toml':
        '[[tool.toolkit.endpoints]]\nname = "b#"\ncommand = ["./b"]\ndependencies = ["torch"]\n',
    },
    after: {
      'pyproject.toml':
        '[[tool.toolkit.endpoints]]\nname = "b#"\ncommand = ["./b"]\ndependencies = ["torch"]  # toolkit: ignore[provided-by-image]\n',
    },
  },
]);

describe('silence is not offered', () => {
  it('for errors', async () => {
    assert.deepEqual(
      await offered({ 'a.py': `${HEAD}@api.get("/a b/{x")\ndef a(): ...\n` }, 'invalid-path'),
      [],
    );
  });
});
