import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';
import { HEAD, route } from './declarationCases.ts';

describeFixes('silence', [
  route(
    'missing-description',
    'adds a comment',
    'Silence missing-description on this line',
    ['@api.get("/a")\ndef a(): ...', '@api.get("/a")\ndef a(): ...  # toolkit: ignore[missing-description]'],
    {},
  ),
  route(
    'missing-description',
    'adds to a line with another comment',
    'Silence missing-description on this line',
    [
      '@api.get("/a")\ndef a(): ...  # noqa\n',
      '@api.get("/a")\ndef a(): ...  # noqa  # toolkit: ignore[missing-description]\n',
    ],
    {},
  ),
  route(
    'missing-description',
    'adds a code to an existing comment',
    'Silence missing-description on this line',
    [
      '@api.get("/a")\ndef a(): ...  # toolkit: ignore[no-routes]\r\n',
      '@api.get("/a")\ndef a(): ...  # toolkit: ignore[no-routes, missing-description]\r\n',
    ],
    {},
  ),
  {
    shows: 'adds a comment in TOML',
    code: 'provided-by-image',
    title: 'Silence provided-by-image on this line',
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
