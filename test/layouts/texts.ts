/** Bytes and texts as editors and systems write them. */
import type { Layout } from './layout.ts';

const TEXT = `from toolkit_sdk import Endpoint
@Endpoint(name="text")
def work():
    return "ok"
`;
const ENDPOINTS = { text: 'queue a.py:2' };
const ANSWERS = { text: 'ok' };

const latin1 = Buffer.from(
  '# -*- coding: latin-1 -*-\nfrom toolkit_sdk import Endpoint\n@Endpoint(name="latin")\ndef work():\n    return "ü"\n',
  'latin1',
);

export const TEXTS: Layout[] = [
  {
    title: 'a byte order mark',
    files: { 'a.py': `\uFEFF${TEXT}` },
    endpoints: ENDPOINTS,
    answers: ANSWERS,
  },
  {
    title: 'CRLF line ends',
    files: { 'a.py': TEXT.replaceAll('\n', '\r\n') },
    endpoints: ENDPOINTS,
    answers: ANSWERS,
  },
  {
    title: 'lone carriage returns',
    files: { 'a.py': TEXT.replaceAll('\n', '\r') },
    endpoints: ENDPOINTS,
    answers: ANSWERS,
  },
  {
    title: 'another encoding, named in the first line',
    files: { 'a.py': latin1 },
    endpoints: { latin: 'queue a.py:3' },
    answers: { latin: 'ü' },
    sample: true,
  },
  {
    title: 'tabs, form feeds, continuation lines and no line end at the end',
    files: {
      'a.py': `from toolkit_sdk \\\n  import Endpoint\n\f\n@ Endpoint ( \\\n\tname = "text" )\ndef work ( ) :\n\treturn "ok"`,
    },
    endpoints: { text: 'queue a.py:4' },
    answers: ANSWERS,
  },
  {
    title: 'identifiers of other scripts',
    files: `=== größe.py
from toolkit_sdk import Endpoint as Endpunkt
@Endpunkt(name="script")
def größe(länge: int = 2):
    return {"größe": länge, "𝒳": "数"}
`,
    endpoints: { script: 'queue größe.py:2' },
    answers: { script: { größe: 2, 𝒳: '数' } },
  },
  {
    title: 'several statements in one line',
    files: `=== a.py
from toolkit_sdk import Endpoint; api = Endpoint(name="line")
@api.get("/x")
def x(): return "x"
`,
    endpoints: { line: 'load-balanced a.py:1' },
    answers: { 'line GET /x': 'x' },
  },
  {
    title: 'match, walrus, lambda and newer syntax around a declaration',
    files: `=== a.py
import sys
from toolkit_sdk import Endpoint
if (n := len(sys.argv)) > 100: pass
match n:
    case 1 | 2: kind = "few"
    case _: kind = "many"
pick = lambda *a, **k: (a, k)
@Endpoint(name="modern")
def work(a: int = 1, /, *, b: "int | None" = None) -> list[int]:
    async def inner(): return [x async for x in y]
    return [a, *(n for n in [2])]
`,
    endpoints: { modern: 'queue a.py:8' },
    answers: { modern: [1, 2] },
  },
];
