import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';
import { call, SDK, table } from './declarationCases.ts';

const workers = { changes: ['workers'] };

const hardware = { changes: ['hardware'] };

describeFixes('valid-argument', [
  call('invalid-argument', 'converts a number', 'Change to 60', ['idle_timeout="60"', 'idle_timeout=60'], {
    changes: ['idleTimeout'],
  }),
  call('invalid-argument', 'converts a whole fraction', 'Change to 2', ['gpu_count=2.0', 'gpu_count=2'], {
    changes: ['gpuCount'],
  }),
  call(
    'invalid-argument',
    'lists one dependency',
    'Change to ["idna>=3,<4"]',
    ['dependencies="idna>=3,<4"', 'dependencies=["idna>=3,<4"]'],
    { changes: ['dependencies'] },
  ),
  call(
    'invalid-argument',
    'lists a set',
    'Change to [\'idna\', "x"]',
    ['dependencies={\'idna\', "x"}', 'dependencies=[\'idna\', "x"]'],
    { changes: ['dependencies'] },
  ),
  call(
    'invalid-argument',
    'writes the member that a string names',
    'Change to gpu=GpuGroup.ADA_24',
    ['gpu="ADA_24"', 'gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  call('invalid-argument', 'removes an empty image', 'Remove image', ['name="a", image=""', 'name="a"']),
  call(
    'invalid-argument',
    'writes a number as a string in env',
    'Change to "1"',
    ['env={"A": 1, "B": "b"}', 'env={"A": "1", "B": "b"}'],
    { changes: ['env'] },
  ),
  call(
    'invalid-argument',
    'adds a keyword',
    'Add gpu= before it',
    ['"a", GpuGroup.ADA_24', '"a", gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  call(
    'invalid-argument',
    'adds workers before a pair',
    'Add workers= before it',
    ['"a", (0, 1)', '"a", workers=(0, 1)'],
    workers,
  ),
  table(
    'invalid-argument',
    'lists the words of a command',
    'Change to ["./b", "-v"]',
    ['name = "b"\ncommand = "./b  -v"\n', 'name = "b"\ncommand = ["./b", "-v"]\n'],
    { changes: ['command'] },
  ),
  table(
    'invalid-argument',
    'writes the intended kind',
    'Change to "load-balanced"',
    [
      'name = "b"\nkind = "load_balanced"\ncommand = ["./b"]\n',
      'name = "b"\nkind = "load-balanced"\ncommand = ["./b"]\n',
    ],
    { changes: ['kind'] },
  ),
  {
    shows: 'starts an endpoint with its own heading',
    code: 'invalid-argument',
    title: 'Change to [[tool.toolkit.endpoints]]',
    before: { 'pyproject.toml': '[tool.toolkit.endpoints]\nname = "b"\ncommand = ["./b"]\n' },
    after: { 'pyproject.toml': '[[tool.toolkit.endpoints]]\nname = "b"\ncommand = ["./b"]\n' },
    changes: ['kind'],
  },
]);

describe('valid-argument does not change', () => {
  const cases = [
    'idle_timeout="a minute"',
    'idle_timeout=-1',
    'dependencies="idna requests"',
    'gpu="TPU"',
    'name=3',
    'env={"A": True}',
  ];
  for (const written of cases) {
    it(written, async () => {
      const text = `${SDK}\n@Endpoint(${written})\ndef a(): ...\n`;
      assert.deepEqual(await offered({ 'a.py': text }, 'invalid-argument'), []);
    });
  }
});
