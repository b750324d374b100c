import { describeFixes } from './checkFix.ts';
import { call, table } from './declarationCases.ts';

const workers = { changes: ['workers'] };

const ROUTE = `from toolkit_sdk import Endpoint
api = Endpoint(name="api")
@api.get("/a")
def a():
    """Say a."""
`;

describeFixes('unknown-keyword', [
  call(
    'unknown-keyword',
    'writes the nearest',
    'Change wokers to workers',
    ['wokers=(0, 1)', 'workers=(0, 1)'],
    workers,
  ),
  call('unknown-keyword', 'removes', 'Remove region', [
    'name="a", region="eu", cpu="cpu5c-4-8"',
    'name="a", cpu="cpu5c-4-8"',
  ]),
  call('unknown-keyword', 'removes the keyword with its line', 'Remove region', [
    '\n    name="a",\n    region="eu",  # near\n    cpu="cpu5c-4-8",\n',
    '\n    name="a",\n    cpu="cpu5c-4-8",\n',
  ]),
  {
    shows: 'removes an argument of a route',
    code: 'unknown-keyword',
    title: 'Remove tags',
    before: { 'a.py': ROUTE.replace('"/a"', '"/a", tags=["a"]') },
    after: { 'a.py': ROUTE },
  },
  table(
    'unknown-keyword',
    'writes in TOML',
    'Change wokers to workers',
    ['name = "b"\nwokers = 1\ncommand = ["./b"]\n', 'name = "b"\nworkers = 1\ncommand = ["./b"]\n'],
    workers,
  ),
  table('unknown-keyword', 'removes in TOML', 'Remove region', [
    'name = "b"\nregion = "eu" # near\ncommand = ["./b"]\n',
    'name = "b"\ncommand = ["./b"]\n',
  ]),
]);
