import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';

const SDK = 'from toolkit_sdk import Endpoint';

describeFixes('unique-name', [
  {
    shows: 'picks the next unused name, with the same quotes',
    code: 'duplicate-queue-name',
    title: 'Name this endpoint "one-3"',
    before: {
      'a.py': `${SDK}\n@Endpoint(name='one')\ndef a(): ...\n@Endpoint(name="one-2")\ndef b(): ...\n`,
      'b.py': `${SDK}\n@Endpoint(name="one")\ndef c(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\n@Endpoint(name='one-3')\ndef a(): ...\n@Endpoint(name="one-2")\ndef b(): ...\n`,
    },
    changes: ['name'],
  },
  {
    shows: "adds a name if it is the function's own",
    code: 'duplicate-queue-name',
    title: 'Name this endpoint "one-2"',
    before: {
      'a.py': `${SDK}\n@Endpoint(workers=(0, 1))\ndef one(): ...\n`,
      'b.py': `${SDK}\n@Endpoint()\ndef one(): ...\n`,
    },
    after: { 'a.py': `${SDK}\n@Endpoint(name="one-2", workers=(0, 1))\ndef one(): ...\n` },
    changes: ['name'],
  },
  {
    shows: 'adds a name in a new line, among settings',
    code: 'duplicate-queue-name',
    title: 'Name this endpoint "one-2"',
    before: {
      'a.py': `${SDK}\nS = {"workers": (0, 1)}\n@Endpoint(\n    # shared\n    **S,\n)\ndef one(): ...\n`,
      'b.py': `${SDK}\n@Endpoint()\ndef one(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\nS = {"workers": (0, 1)}\n@Endpoint(\n    # shared\n    name="one-2",\n    **S,\n)\ndef one(): ...\n`,
    },
    changes: ['name'],
  },
  {
    shows: 'replaces a constant, also without a keyword',
    code: 'duplicate-queue-name',
    title: 'Name this endpoint "one-2"',
    before: {
      'a.py': `${SDK}\nNAME = "one"\n@Endpoint(NAME)\ndef a(): ...\n@Endpoint(NAME)\ndef b(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\nNAME = "one"\n@Endpoint("one-2")\ndef a(): ...\n@Endpoint(NAME)\ndef b(): ...\n`,
    },
    changes: ['name'],
  },
  {
    shows: 'renames one of two forms',
    code: 'name-in-both-forms',
    title: 'Name this endpoint "one-2"',
    before: {
      'a.py': `${SDK}\napi = Endpoint(name="one")\n@api.get("/a")\ndef a(): ...\n`,
      'b.py': `${SDK}\n@Endpoint(name="one")\ndef b(): ...\n`,
    },
    after: { 'a.py': `${SDK}\napi = Endpoint(name="one-2")\n@api.get("/a")\ndef a(): ...\n` },
    changes: ['name'],
  },
  {
    shows: 'renames an endpoint of pyproject.toml',
    code: 'duplicate-queue-name',
    title: 'Name this endpoint "one-2"',
    before: {
      'pyproject.toml':
        '[[tool.toolkit.endpoints]]\nname = \'one\'\ncommand = ["./a"]\n[[tool.toolkit.endpoints]]\nname = "one"\ncommand = ["./b"]\n',
    },
    after: {
      'pyproject.toml':
        '[[tool.toolkit.endpoints]]\nname = \'one-2\'\ncommand = ["./a"]\n[[tool.toolkit.endpoints]]\nname = "one"\ncommand = ["./b"]\n',
    },
    changes: ['name'],
  },
]);

describe('unique-name does not change', () => {
  it('a name inside shared settings', async () => {
    const text = `${SDK}\nS = {"name": "one"}\n@Endpoint(**S)\ndef a(): ...\n@Endpoint(**S)\ndef b(): ...\n`;
    assert.deepEqual(await offered({ 'a.py': text }, 'duplicate-queue-name'), []);
  });
});
