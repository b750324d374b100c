import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';
import { call, SDK, table } from './declarationCases.ts';

const workers = { changes: ['workers'] };

const hardware = { changes: ['hardware'] };

describeFixes('valid-argument', [
  call('invalid-argument', 'reads a number', 'Write 60', ['idle_timeout="60"', 'idle_timeout=60'], {
    changes: ['idleTimeout'],
  }),
  call('invalid-argument', 'reads a fraction that is whole', 'Write 2', ['gpu_count=2.0', 'gpu_count=2'], {
    changes: ['gpuCount'],
  }),
  call(
    'invalid-argument',
    'lists one dependency',
    'Write ["idna>=3,<4"]',
    ['dependencies="idna>=3,<4"', 'dependencies=["idna>=3,<4"]'],
    { changes: ['dependencies'] },
  ),
  call(
    'invalid-argument',
    'lists a set',
    'Write [\'idna\', "x"]',
    ['dependencies={\'idna\', "x"}', 'dependencies=[\'idna\', "x"]'],
    { changes: ['dependencies'] },
  ),
  call(
    'invalid-argument',
    'writes the member that a text names',
    'Write gpu=GpuGroup.ADA_24',
    ['gpu="ADA_24"', 'gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  call('invalid-argument', 'takes an empty image away', 'Remove image', ['name="a", image=""', 'name="a"']),
  call(
    'invalid-argument',
    'writes a number as a text in env',
    'Write "1"',
    ['env={"A": 1, "B": "b"}', 'env={"A": "1", "B": "b"}'],
    { changes: ['env'] },
  ),
  call(
    'invalid-argument',
    'writes a keyword',
    'Write gpu= before it',
    ['"a", GpuGroup.ADA_24', '"a", gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  call(
    'invalid-argument',
    'writes workers before a pair',
    'Write workers= before it',
    ['"a", (0, 1)', '"a", workers=(0, 1)'],
    workers,
  ),
  table(
    'invalid-argument',
    'lists the words of a command',
    'Write ["./b", "-v"]',
    ['name = "b"\ncommand = "./b  -v"\n', 'name = "b"\ncommand = ["./b", "-v"]\n'],
    { changes: ['command'] },
  ),
  table(
    'invalid-argument',
    'writes the kind that is meant',
    'Write "load-balanced"',
    [
      'name = "b"\nkind = "load_balanced"\ncommand = ["./b"]\n',
      'name = "b"\nkind = "load-balanced"\ncommand = ["./b"]\n',
    ],
    { changes: ['kind'] },
  ),
  {
    shows: 'begins an endpoint with a heading of its own',
    code: 'invalid-argument',
    title: 'Write [[tool.toolkit.endpoints]]',
    before: { 'pyproject.toml': '[tool.toolkit.endpoints]\nname = "b"\ncommand = ["./b"]\n' },
    after: { 'pyproject.toml': '[[tool.toolkit.endpoints]]\nname = "b"\ncommand = ["./b"]\n' },
    changes: ['kind'],
  },
]);

describe('valid-argument leaves alone', () => {
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
