import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';

const SDK = 'from toolkit_sdk import Endpoint';

describeFixes('unique-name', [
  {
    shows: 'gives the next free name, in the quotes that are there',
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
    shows: "adds a name where it is the function's own",
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
    shows: 'adds a name in a line of its own, among settings',
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
    shows: 'writes the name in place of a constant, and without its keyword',
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
    shows: 'gives another name to one of two forms',
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
    shows: 'names an endpoint of pyproject.toml anew',
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

describe('unique-name leaves alone', () => {
  it('a name inside of shared settings', async () => {
    const text = `${SDK}\nS = {"name": "one"}\n@Endpoint(**S)\ndef a(): ...\n@Endpoint(**S)\ndef b(): ...\n`;
    assert.deepEqual(await offered({ 'a.py': text }, 'duplicate-queue-name'), []);
  });
});

describeFixes('fit-name', [
  {
    shows: 'makes a name fit',
    code: 'invalid-name',
    title: 'Name this endpoint "Grosse-1"',
    before: { 'a.py': `${SDK}\n@Endpoint(name="Grösse 1 ")\ndef a(): ...\n` },
    after: { 'a.py': `${SDK}\n@Endpoint(name="Grosse-1")\ndef a(): ...\n` },
    changes: ['name'],
  },
  {
    shows: 'adds a name that fits where the function has none',
    code: 'invalid-name',
    title: 'Name this endpoint "run"',
    before: { 'a.py': `${SDK}\n@Endpoint()\ndef _run(): ...\n` },
    after: { 'a.py': `${SDK}\n@Endpoint(name="run")\ndef _run(): ...\n` },
    changes: ['name'],
  },
  {
    shows: 'takes the reserved beginning away, to a name that is free',
    code: 'reserved-name',
    title: 'Name this endpoint "x-2"',
    before: { 'a.py': `${SDK}\n@Endpoint(name="live-x")\ndef a(): ...\n@Endpoint(name="x")\ndef b(): ...\n` },
    after: { 'a.py': `${SDK}\n@Endpoint(name="x-2")\ndef a(): ...\n@Endpoint(name="x")\ndef b(): ...\n` },
    changes: ['name'],
  },
  {
    shows: 'names an instance after its variable',
    code: 'missing-name',
    title: 'Name this endpoint "images"',
    before: { 'a.py': `${SDK}\nimages = Endpoint()\n@images.get("/a")\ndef a(): ...\n` },
    after: { 'a.py': `${SDK}\nimages = Endpoint(name="images")\n@images.get("/a")\ndef a(): ...\n` },
    changes: ['name'],
  },
  {
    shows: 'names an instance after its file where its variable says nothing',
    code: 'missing-name',
    title: 'Name this endpoint "lb_worker"',
    before: {
      'src/lb_worker.py': `${SDK}\napi = Endpoint(\n    workers=(0, 1)\n)\n@api.get("/a")\ndef a(): ...\n`,
    },
    after: {
      'src/lb_worker.py': `${SDK}\napi = Endpoint(\n    name="lb_worker",\n    workers=(0, 1)\n)\n@api.get("/a")\ndef a(): ...\n`,
    },
    changes: ['name'],
  },
  {
    shows: 'fills an empty name',
    code: 'missing-name',
    title: 'Name this endpoint "detect"',
    before: { 'a.py': `${SDK}\n@Endpoint(name='')\ndef detect(): ...\n` },
    after: { 'a.py': `${SDK}\n@Endpoint(name='detect')\ndef detect(): ...\n` },
    changes: ['name'],
  },
  {
    shows: 'names a table after its command',
    code: 'missing-name',
    title: 'Name this endpoint "serve"',
    before: { 'pyproject.toml': '[[tool.toolkit.endpoints]] # one\ncommand = ["./bin/serve.sh", "-v"]\n' },
    after: {
      'pyproject.toml':
        '[[tool.toolkit.endpoints]] # one\nname = "serve"\ncommand = ["./bin/serve.sh", "-v"]\n',
    },
    changes: ['name'],
  },
]);

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
