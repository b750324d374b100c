import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';

const SDK = 'from toolkit_sdk import Endpoint';

describeFixes('to-load-balanced', [
  {
    shows: 'makes routes of what one instance decorates',
    code: 'duplicate-queue-name',
    title: 'Make them routes of one load-balanced endpoint',
    before: { 'a.py': `${SDK}\nq = Endpoint(name="one")\n@q\ndef first(): ...\n@q\ndef second(): ...\n` },
    after: {
      'a.py': `${SDK}\nq = Endpoint(name="one")\n@q.post("/first")\ndef first(): ...\n@q.post("/second")\ndef second(): ...\n`,
    },
    changes: ['kind'],
  },
  {
    shows: 'makes an instance of declarations with one name',
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
    shows: 'adds a function to the instance that has its name',
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
    shows: 'makes a route of a function that an instance with routes decorates',
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

describe('to-load-balanced leaves alone', () => {
  const cases: [shows: string, text: string][] = [
    [
      'endpoints of which one runs on a GPU and one on a CPU',
      `from toolkit_sdk import Endpoint, GpuGroup\n@Endpoint(name="one", cpu="cpu5c-4-8")\ndef a(): ...\n@Endpoint(name="one", gpu=GpuGroup.ANY)\ndef b(): ...\n`,
    ],
    [
      'endpoints of different machines',
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
});
