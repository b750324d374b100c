/** Locations of declarations in files, folders and statements. */
import type { Layout } from './layout.ts';

const WORK = (name: string) => `from toolkit_sdk import Endpoint
@Endpoint(name="${name}")
def work():
    return "${name}"
`;

export const PLACES: Layout[] = [
  {
    title: 'a declaration in __init__.py',
    files: { 'service/__init__.py': WORK('initial') },
    endpoints: { initial: 'queue service/__init__.py:2' },
    answers: { initial: 'initial' },
    sample: true,
  },
  {
    title: 'nested folders without __init__.py',
    files: { 'one/two/three/work.py': WORK('nested') },
    endpoints: { nested: 'queue one/two/three/work.py:2' },
    answers: { nested: 'nested' },
  },
  {
    title: 'a path that is not an identifier',
    files: { 'my-app/v1.0/work er.py': WORK('odd') },
    endpoints: { odd: 'queue my-app/v1.0/work er.py:2' },
    answers: { odd: 'odd' },
    sample: true,
  },
  {
    title: 'a file that begins with a digit, and one in another script',
    files: { '1st.py': WORK('first'), 'größe/数.py': WORK('second') },
    endpoints: { first: 'queue 1st.py:2', second: 'queue größe/数.py:2' },
    answers: { first: 'first', second: 'second' },
  },
  {
    title: 'packages under src',
    files: {
      'pyproject.toml': '[project]\nname = "src-layout"\n',
      'src/shop/__init__.py': '',
      'src/shop/prices.py': 'PRICE = 3\n',
      'src/shop/work.py':
        'from shop.prices import PRICE\nfrom toolkit_sdk import Endpoint\n@Endpoint(name="src")\ndef work():\n    return PRICE\n',
    },
    endpoints: { src: 'queue src/shop/work.py:3' },
    answers: { src: 3 },
    sample: true,
  },
  {
    title: 'functions of the same name in two files',
    files: { 'a.py': WORK('one'), 'b.py': WORK('two') },
    endpoints: { one: 'queue a.py:2', two: 'queue b.py:2' },
    answers: { one: 'one', two: 'two' },
  },
  {
    title: 'several instances in one file',
    files: `=== a.py
from toolkit_sdk import Endpoint
one, two = Endpoint(name="first"), Endpoint(name="second")
three = also = Endpoint(name="third")
@one.get("/x")
def a():
    return 1
@two.get("/x")
def b():
    return 2
@also.get("/x")
def c():
    return 3
`,
    endpoints: {
      first: 'load-balanced a.py:2',
      second: 'load-balanced a.py:2',
      third: 'load-balanced a.py:3',
    },
    answers: { 'first GET /x': 1, 'second GET /x': 2, 'third GET /x': 3 },
  },
  {
    title: 'many queue-based functions and a load-balanced instance in one file',
    files: `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint(name="mixed-api")
@Endpoint(name="mixed-a")
def a():
    return "a"
@api.get("/c")
def c():
    return "c"
@Endpoint(name="mixed-b")
def b():
    return "b"
`,
    endpoints: { 'mixed-api': 'load-balanced a.py:2', 'mixed-a': 'queue a.py:3', 'mixed-b': 'queue a.py:9' },
    answers: { 'mixed-a': 'a', 'mixed-b': 'b', 'mixed-api GET /c': 'c' },
  },
  {
    title: 'declarations in if, else, try, with and for blocks',
    files: `=== a.py
import contextlib, os
from toolkit_sdk import Endpoint
if os.name == "posix":
    @Endpoint(name="in-if")
    def a():
        return "if"
else:
    pass
try:
    @Endpoint(name="in-try")
    def b():
        return "try"
except Exception:
    raise
with contextlib.suppress(KeyError):
    @Endpoint(name="in-with")
    def c():
        return "with"
`,
    endpoints: { 'in-if': 'queue a.py:4', 'in-try': 'queue a.py:10', 'in-with': 'queue a.py:16' },
    answers: { 'in-if': 'if', 'in-try': 'try', 'in-with': 'with' },
    sample: true,
  },
  {
    title: 'declarations in match and while blocks, and names that are deleted',
    files: `=== a.py
from toolkit_sdk import Endpoint
match 1:
    case 1:
        @Endpoint(name="in-match")
        def a():
            return "match"
while True:
    @Endpoint(name="in-while")
    def b():
        return "while"
    break
gone = (Endpoint(name="deleted"))
last, = [Endpoint(name="unpacked")]
@gone.get("/x")
@last.get("/x")
def c():
    return "x"
del gone, last
`,
    endpoints: {
      'in-match': 'queue a.py:4',
      'in-while': 'queue a.py:8',
      deleted: 'load-balanced a.py:12',
      unpacked: 'load-balanced a.py:13',
    },
    answers: { 'in-match': 'match', 'in-while': 'while', 'deleted GET /x': 'x', 'unpacked GET /x': 'x' },
  },
  {
    title: 'an instance in a class body',
    files: `=== a.py
from toolkit_sdk import Endpoint
class Services:
    api = Endpoint(name="in-class")
@Services.api.get("/x")
def x():
    return "x"
`,
    endpoints: { 'in-class': 'load-balanced a.py:3' },
    answers: { 'in-class GET /x': 'x' },
  },
  {
    title: 'an annotated instance, and a Final one',
    files: `=== a.py
from typing import Final
from toolkit_sdk import Endpoint
api: Endpoint = Endpoint(name="annotated")
final: Final = Endpoint(name="final")
@api.get("/x")
@final.get("/x")
def x():
    return "x"
`,
    endpoints: { annotated: 'load-balanced a.py:3', final: 'load-balanced a.py:4' },
    answers: { 'annotated GET /x': 'x', 'final GET /x': 'x' },
  },
  {
    title: 'an instance under another name of the same module',
    files: `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint(name="renamed")
router = api
@router.get("/x")
def x():
    return "x"
`,
    endpoints: { renamed: 'load-balanced a.py:2' },
    answers: { 'renamed GET /x': 'x' },
  },
  {
    title: 'code under if __name__ == "__main__" next to a declaration',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="script")
def work():
    return "script"
if __name__ == "__main__":
    import requests, sys
    print(requests.get(sys.argv[1]), work())
`,
    endpoints: { script: 'queue a.py:2' },
    answers: { script: 'script' },
  },
  {
    title: 'a sibling that exits when it is imported',
    files: { 'a.py': WORK('living'), 'exits.py': 'import os, sys\nsys.exit(3)\nos._exit(4)\n' },
    endpoints: { living: 'queue a.py:2' },
    answers: { living: 'living' },
  },
  {
    title: 'a sibling that does not mention the toolkit and does not parse',
    files: { 'a.py': WORK('sound'), 'broken.py': 'def (:\n' },
    endpoints: { sound: 'queue a.py:2' },
    answers: { sound: 'sound' },
  },
  {
    title: 'a nested project, seen from outside',
    files: {
      'pyproject.toml': '[project]\nname = "outer"\n',
      'a.py': WORK('outer'),
      'inner/pyproject.toml': '[tool.toolkit]\napp = "inner"\n',
      'inner/b.py': WORK('inner'),
      'plain/pyproject.toml': '[project]\nname = "plain"\n',
      'plain/c.py': WORK('plain'),
    },
    endpoints: { outer: 'queue a.py:2', plain: 'queue plain/c.py:2' },
    answers: { outer: 'outer', plain: 'plain' },
  },
  {
    title: 'ignored and built-in folders',
    files: {
      'a.py': WORK('shipped'),
      '.gitignore': '/old/\n',
      '.toolkitignore': 'drafts\n',
      'old/b.py': WORK('old'),
      'drafts/c.py': WORK('draft'),
      '.venv/d.py': WORK('venv'),
      'node_modules/e.py': WORK('node'),
      'env/pyvenv.cfg': '',
      'env/lib/f.py': WORK('env'),
    },
    endpoints: { shipped: 'queue a.py:2' },
    answers: { shipped: 'shipped' },
  },
  {
    title: 'a file that .toolkitignore includes from an ignored folder',
    files: {
      '.gitignore': '/made/\n*.json\n',
      '.toolkitignore': '!/made/work.py\n!/table.json\n',
      'made/work.py':
        'import json, pathlib\nfrom toolkit_sdk import Endpoint\n@Endpoint(name="made")\ndef work():\n    return json.loads((pathlib.Path(__file__).parent.parent / "table.json").read_text())\n',
      'made/other.py': WORK('other'),
      'table.json': '[1, 2]\n',
    },
    endpoints: { made: 'queue made/work.py:3' },
    answers: { made: [1, 2] },
    sample: true,
  },
  {
    title: 'a linked file and a linked folder of the project',
    files: { 'shared/work.py': WORK('linked') },
    links: { 'again.py': 'shared/work.py', other: 'shared', 'shared/up': '..' },
    endpoints: { linked: 'queue shared/work.py:2' },
    answers: { linked: 'linked' },
  },
];
