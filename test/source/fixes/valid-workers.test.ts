import { describeFixes } from './checkFix.ts';
import { call, table } from './declarationCases.ts';

const workers = { changes: ['workers'] };

describeFixes('valid-workers', [
  call('invalid-workers', 'swaps', 'Write workers (1, 3)', ['workers=(3, 1)', 'workers=(1, 3)'], workers),
  call(
    'invalid-workers',
    'swaps a list',
    'Write workers [1, 3]',
    ['workers=[3, 1]', 'workers=[1, 3]'],
    workers,
  ),
  call(
    'invalid-workers',
    'swaps over lines',
    'Write workers (1, 3)',
    ['"🎉", workers=(\n    3,\n    1,\n)', '"🎉", workers=(1, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'lifts what is below 0',
    'Write workers (0, 3)',
    ['workers=(-1, 3)', 'workers=(0, 3)'],
    workers,
  ),
  call('invalid-workers', 'reads a text', 'Write workers (0, 3)', ['workers="3"', 'workers=(0, 3)'], workers),
  call(
    'invalid-workers',
    'reads fractions that are whole',
    'Write workers (0, 3)',
    ['workers=(0.0, 3.0)', 'workers=(0, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'orders a set',
    'Write workers (1, 3)',
    ['workers={3, 1}', 'workers=(1, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'takes None away',
    'Remove workers',
    ['name="a", workers=None', 'name="a"'],
    workers,
  ),
  table(
    'invalid-workers',
    'swaps in TOML',
    'Write workers [1, 3]',
    [
      'name = "b"\ncommand = ["./b"]\nworkers = [3, 1] # many\n',
      'name = "b"\ncommand = ["./b"]\nworkers = [1, 3] # many\n',
    ],
    workers,
  ),
]);
