import { describeFixes } from './checkFix.ts';

const SDK = 'from toolkit_sdk import Endpoint';

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
    shows: 'adds a valid name if the function has none',
    code: 'invalid-name',
    title: 'Name this endpoint "run"',
    before: { 'a.py': `${SDK}\n@Endpoint()\ndef _run(): ...\n` },
    after: { 'a.py': `${SDK}\n@Endpoint(name="run")\ndef _run(): ...\n` },
    changes: ['name'],
  },
  {
    shows: 'removes the reserved prefix, and picks an unused name',
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
    shows: 'names an instance after its file if its variable has a generic name',
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
