import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeFixes, offered } from './checkFix.ts';
import { call, table } from './declarationCases.ts';

const workers = { changes: ['workers'], preferred: true };

describeFixes('invalid-workers', [
  call('invalid-workers', 'swaps', 'Change workers to (1, 3)', ['workers=(3, 1)', 'workers=(1, 3)'], workers),
  call(
    'invalid-workers',
    'swaps a list',
    'Change workers to [1, 3]',
    ['workers=[3, 1]', 'workers=[1, 3]'],
    workers,
  ),
  call(
    'invalid-workers',
    'swaps over lines',
    'Change workers to (1, 3)',
    ['"🎉", workers=(\n    3,  # at night\n    1,\n)', '"🎉", workers=(\n    1,  # at night\n    3,\n)'],
    workers,
  ),
  {
    shows: 'keeps the names of constants',
    code: 'invalid-workers',
    title: 'Change workers to (1, 5)',
    before: {
      'a.py':
        'from toolkit_sdk import Endpoint\nMOST = 5\n@Endpoint("a", workers=(MOST, 1))\ndef a(): "A."\n',
    },
    after: {
      'a.py':
        'from toolkit_sdk import Endpoint\nMOST = 5\n@Endpoint("a", workers=(1, MOST))\ndef a(): "A."\n',
    },
    ...workers,
  },
  call(
    'invalid-workers',
    'raises numbers below 0',
    'Change workers to (0, 3)',
    ['workers=(-1, 3)', 'workers=(0, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'converts a string',
    'Change workers to (0, 3)',
    ['workers="3"', 'workers=(0, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'converts whole fractions',
    'Change workers to (0, 3)',
    ['workers=(0.0, 3.0)', 'workers=(0, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'orders a set',
    'Change workers to (1, 3)',
    ['workers={3, 1}', 'workers=(1, 3)'],
    workers,
  ),
  call('invalid-workers', 'removes None', 'Remove workers', ['name="a", workers=None', 'name="a"'], workers),
  table(
    'invalid-workers',
    'swaps in TOML',
    'Change workers to [1, 3]',
    [
      'name = "b"\ncommand = ["./b"]\nworkers = [3, 1] # many\n',
      'name = "b"\ncommand = ["./b"]\nworkers = [1, 3] # many\n',
    ],
    workers,
  ),
]);

it('offers nothing that leaves an endpoint without workers for a negative number', async () => {
  for (const workers of ['-3', '(0, -1)', '"-1"']) {
    const text = `from toolkit_sdk import Endpoint\n@Endpoint("a", workers=${workers})\ndef a(): "A."\n`;
    assert.deepEqual(await offered({ 'a.py': text }, 'invalid-workers'), [], workers);
  }
});
