import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';

const SDK = 'from toolkit_sdk import Endpoint as E';

describeFixes('own-declaration', [
  {
    shows: 'declares one of several functions that an instance decorates, with its arguments',
    code: 'duplicate-queue-name',
    title: 'Declare first as a separate endpoint "first"',
    before: {
      'a.py': `${SDK}\nS = {"idle_timeout": 5}\nq = E(\n    "one",\n    workers=(0, 2),  # few\n    **S,\n)\n@q\ndef first(): ...\n@q\ndef second(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\nS = {"idle_timeout": 5}\nq = E(\n    "one",\n    workers=(0, 2),  # few\n    **S,\n)\n@E(name="first", workers=(0, 2), **S)\ndef first(): ...\n@q\ndef second(): ...\n`,
    },
    changes: ['kind'],
  },
  {
    shows: 'declares a function next to routes, with an unused name',
    code: 'name-in-both-forms',
    title: 'Declare b as a separate endpoint "b-2"',
    before: {
      'a.py': `${SDK}\napi = E(name="b")\n@api.get("/a")\ndef a(): ...\n@api\ndef b(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\napi = E(name="b")\n@api.get("/a")\ndef a(): ...\n@E(name="b-2")\ndef b(): ...\n`,
    },
    changes: ['kind'],
  },
]);

describe('own-declaration does not change', () => {
  it('a function in another file than the instance', async () => {
    const files = {
      'a.py': `import toolkit_sdk\nfrom b import q\n@q\ndef first(): ...\n@q\ndef second(): ...\n`,
      'b.py': `${SDK}\nq = E(name="one")\n`,
    };
    assert.deepEqual(await offered(files, 'duplicate-queue-name'), []);
  });
});
