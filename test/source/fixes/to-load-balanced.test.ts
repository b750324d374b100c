import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';

const SDK = 'from toolkit_sdk import Endpoint';

describeFixes('to-load-balanced', [
  {
    shows: 'turns the functions that one instance decorates into routes',
    code: 'duplicate-queue-name',
    title: 'Make them routes of one load-balanced endpoint',
    before: { 'a.py': `${SDK}\nq = Endpoint(name="one")\n@q\ndef first(): ...\n@q\ndef second(): ...\n` },
    after: {
      'a.py': `${SDK}\nq = Endpoint(name="one")\n@q.post("/first")\ndef first(): ...\n@q.post("/second")\ndef second(): ...\n`,
    },
    changes: ['kind'],
  },
  {
    shows: 'creates an instance for declarations of the same name',
    code: 'duplicate-queue-name',
    title: 'Make them routes of one load-balanced endpoint',
    before: {
      'a.py': `${SDK}\n\n\n@Endpoint(name="one", workers=(0, 2))\ndef first(): ...\n\n\n@Endpoint("one")\nasync def second(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\n\n\napi = Endpoint(name="one", workers=(0, 2))\n\n\n@api.post("/first")\ndef first(): ...\n\n\n@api.post("/second")\nasync def second(): ...\n`,
    },
    changes: ['kind'],
  },
  {
    shows: 'adds a function to the instance of the same name',
    code: 'name-in-both-forms',
    title: 'Make them routes of one load-balanced endpoint',
    before: {
      'a.py': `${SDK}\napi = Endpoint(name="one")\n@api.get("/a")\ndef a(): ...\n@Endpoint(name="one")\ndef b(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\napi = Endpoint(name="one")\n@api.get("/a")\ndef a(): ...\n@api.post("/b")\ndef b(): ...\n`,
    },
    changes: ['kind'],
  },
  {
    shows: 'turns a function into a route if its instance has routes',
    code: 'name-in-both-forms',
    title: 'Make them routes of one load-balanced endpoint',
    before: {
      'a.py': `${SDK}\napi = Endpoint(name="one")\n@api.get("/a")\ndef a(): ...\n@api\ndef b(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\napi = Endpoint(name="one")\n@api.get("/a")\ndef a(): ...\n@api.post("/b")\ndef b(): ...\n`,
    },
    changes: ['kind'],
  },
]);

describe('to-load-balanced does not change', () => {
  const cases: [shows: string, text: string][] = [
    [
      'endpoints of which one runs on a GPU and one on a CPU',
      `from toolkit_sdk import Endpoint, GpuGroup\n@Endpoint(name="one", cpu="cpu5c-4-8")\ndef a(): ...\n@Endpoint(name="one", gpu=GpuGroup.ANY)\ndef b(): ...\n`,
    ],
    [
      'endpoints of different hardware',
      `${SDK}\n@Endpoint(name="one", cpu="cpu5c-4-8")\ndef a(): ...\n@Endpoint(name="one", cpu="cpu3g-1-4")\ndef b(): ...\n`,
    ],
    [
      'classes',
      `${SDK}\n@Endpoint(name="one")\nclass A:\n    def run(self): ...\n@Endpoint(name="one")\ndef b(): ...\n`,
    ],
  ];
  for (const [shows, text] of cases) {
    it(shows, async () => {
      assert.deepEqual(await offered({ 'a.py': text }, 'duplicate-queue-name'), [
        'Name this endpoint "one-2"',
      ]);
    });
  }

  it('an instance that decorates a function twice', async () => {
    const text = `${SDK}\nq = Endpoint(name="one")\n@q\n@q\ndef a(): ...\n@q\ndef b(): ...\n`;
    const titles = await offered({ 'a.py': text }, 'duplicate-queue-name');
    assert.deepEqual(titles, ['Declare a as a separate endpoint "a"']);
  });
});
