import { describeFixes } from './checkFix.ts';
import { call, table } from './declarationCases.ts';

describeFixes('provided-by-image', [
  ...[
    ['the only item', '["torch"]', '[]'],
    ['the first item', '["torch", "idna"]', '["idna"]'],
    ['the last item', '["idna", "torch"]', '["idna"]'],
    ['the last item before a comma', '["idna", "torch",]', '["idna",]'],
    ['the second of a pair', '("idna", "torch")', '("idna",)'],
    ['the first of a pair', '("torch", "idna")', '("idna",)'],
    ['a line with its comment', '[\n    "idna",  # x\n    "torch",  # y\n]', '[\n    "idna",  # x\n]'],
    ['the last line without a comma', '[\n    "idna",  # x\n    "torch"]', '[\n    "idna",  # x\n    ]'],
    ['an item before a comma that begins the next line', '["torch"\n  ,"idna"]', '["idna"]'],
    [
      'an item alone in its line before such a comma',
      '[\n    "torch"  # y\n  , "idna"\n]',
      '[\n    "idna"\n]',
    ],
    [
      'an item after a comma that begins its line',
      '[\n    "idna"  # x\n  , "torch"  # y\n  , "six"\n]',
      '[\n    "idna"  # x\n  , "six"\n]',
    ],
    ['an item after such a comma, before the bracket', '["idna"\n  ,"torch"]', '["idna"\n  ]'],
    ['the first of a pair over lines', '(\n    "torch",\n    "idna"\n)', '(\n    "idna",\n)'],
    ['the first of a pair whose comma begins a line', '("idna"\n  ,"torch")', '("idna"\n  ,)'],
  ].map(([shows, before, after]) =>
    call(
      'provided-by-image',
      `removes ${shows!}`,
      'Remove "torch" from dependencies',
      [`dependencies=${before}`, `dependencies=${after}`],
      { changes: ['dependencies'] },
    ),
  ),
  table(
    'provided-by-image',
    'removes in TOML',
    'Remove "torch" from dependencies',
    [
      'name = "b"\ncommand = ["./b"]\ndependencies = [\n  "torch", # y\n  "idna",\n]\n',
      'name = "b"\ncommand = ["./b"]\ndependencies = [\n  "idna",\n]\n',
    ],
    { changes: ['dependencies'] },
  ),
]);
