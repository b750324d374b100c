import { describeFixes } from './checkFix.ts';
import { call, table } from './declarationCases.ts';

describeFixes('provided-by-image', [
  ...[
    ['the only one', '["torch"]', '[]'],
    ['the first', '["torch", "idna"]', '["idna"]'],
    ['the last', '["idna", "torch"]', '["idna"]'],
    ['the last before a comma', '["idna", "torch",]', '["idna",]'],
    ['of a pair', '("idna", "torch")', '("idna",)'],
    ['of a pair, the first', '("torch", "idna")', '("idna",)'],
    [
      'of a line of its own, with its comment',
      '[\n    "idna",  # x\n    "torch",  # y\n]',
      '[\n    "idna",  # x\n]',
    ],
    ['of the last line without a comma', '[\n    "idna",  # x\n    "torch"]', '[\n    "idna",  # x\n    ]'],
    ['before a comma that begins the next line', '["torch"\n  ,"idna"]', '["idna"]'],
    ['alone in its line before such a comma', '[\n    "torch"  # y\n  , "idna"\n]', '[\n    "idna"\n]'],
    [
      'behind a comma that begins its line',
      '[\n    "idna"  # x\n  , "torch"  # y\n  , "six"\n]',
      '[\n    "idna"  # x\n  , "six"\n]',
    ],
    ['behind such a comma, before the bracket', '["idna"\n  ,"torch"]', '["idna"\n  ]'],
    ['of a pair over lines, the first', '(\n    "torch",\n    "idna"\n)', '(\n    "idna",\n)'],
    ['of a pair whose comma begins a line', '("idna"\n  ,"torch")', '("idna"\n  ,)'],
  ].map(([shows, before, after]) =>
    call(
      'provided-by-image',
      shows!,
      'Remove "torch" from dependencies',
      [`dependencies=${before}`, `dependencies=${after}`],
      { changes: ['dependencies'] },
    ),
  ),
  table(
    'provided-by-image',
    'in TOML',
    'Remove "torch" from dependencies',
    [
      'name = "b"\ncommand = ["./b"]\ndependencies = [\n  "torch", # y\n  "idna",\n]\n',
      'name = "b"\ncommand = ["./b"]\ndependencies = [\n  "idna",\n]\n',
    ],
    { changes: ['dependencies'] },
  ),
]);
