import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';
import { SDK } from './declarationCases.ts';

describeFixes('worker-quota', [
  {
    shows: 'lowers a maximum to what is left',
    code: 'worker-quota',
    title: 'Lower the maximum workers to 20, to fit the quota of 30',
    before: {
      'a.py': `${SDK}\n@Endpoint(workers=(25, 30))\ndef a(): ...\n@Endpoint(workers=(0, 10))\ndef b(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\n@Endpoint(workers=(20, 20))\ndef a(): ...\n@Endpoint(workers=(0, 10))\ndef b(): ...\n`,
    },
    changes: ['workers'],
  },
  {
    shows: 'writes a maximum when the default is too large',
    code: 'worker-quota',
    title: 'Lower the maximum workers to 1, to fit the quota of 2',
    before: {
      'pyproject.toml': '[tool.toolkit]\nquota = 2\n',
      'a.py': `${SDK}\n@Endpoint(\n    name="a",\n    cpu="cpu5c-4-8",  # small\n)\ndef a(): ...\n@Endpoint(workers=1)\ndef b(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\n@Endpoint(\n    name="a",\n    cpu="cpu5c-4-8",  # small\n    workers=(0, 1),\n)\ndef a(): ...\n@Endpoint(workers=1)\ndef b(): ...\n`,
    },
    changes: ['workers'],
  },
  {
    shows: 'writes a maximum in TOML',
    code: 'worker-quota',
    title: 'Lower the maximum workers to 2, to fit the quota of 2',
    before: {
      'pyproject.toml':
        '[tool.toolkit]\nquota = 2\n[[tool.toolkit.endpoints]]\nname = "b"\ncommand = ["./b"]\n\n[tool.toolkit.endpoints.env]\nA = "1"\n',
    },
    after: {
      'pyproject.toml':
        '[tool.toolkit]\nquota = 2\n[[tool.toolkit.endpoints]]\nname = "b"\ncommand = ["./b"]\nworkers = [0, 2]\n\n[tool.toolkit.endpoints.env]\nA = "1"\n',
    },
    changes: ['workers'],
  },
]);

describe('worker-quota when the other endpoints have used up the quota', () => {
  it('offers to lower all of them', async () => {
    const text = `${SDK}\n@Endpoint(workers=5)\ndef a(): ...\n@Endpoint(workers=30)\ndef b(): ...\n`;
    assert.deepEqual(await offered({ 'a.py': text }, 'worker-quota'), [
      'Lower all maximum workers to at most 25, to fit the quota of 30',
    ]);
  });
});

describeFixes('worker-quota of all endpoints', [
  {
    shows: 'lowers the largest in every file, and keeps the small ones',
    code: 'worker-quota',
    title: 'Lower all maximum workers to at most 4, to fit the quota of 10',
    before: {
      'pyproject.toml':
        '[tool.toolkit]\nquota = 10\n[[tool.toolkit.endpoints]]\nname = "t"\ncommand = ["./t"]\nworkers = [5, 9]\n',
      'a.py': `${SDK}\n@Endpoint(workers=[0, 20])\ndef a(): ...\n@Endpoint(workers=(1, 2))\ndef b(): ...\n`,
    },
    after: {
      'pyproject.toml':
        '[tool.toolkit]\nquota = 10\n[[tool.toolkit.endpoints]]\nname = "t"\ncommand = ["./t"]\nworkers = [4, 4]\n',
      'a.py': `${SDK}\n@Endpoint(workers=[0, 4])\ndef a(): ...\n@Endpoint(workers=(1, 2))\ndef b(): ...\n`,
    },
    changes: ['workers'],
  },
]);
