import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { check, writeProject } from './checkProject.ts';

const SDK = 'from toolkit_sdk import Endpoint';

/** Title, the file after its import, and the text of the message. */
const FAULTS: [title: string, source: string, message: RegExp][] = [
  [
    'an open bracket, where it was opened',
    'x = [1,\n    ^ error: syntax-error\ny = 2',
    /"\[" is never closed/,
  ],
  [
    'the more reliable of two faults, though it comes later',
    'print "x"\ny = 1\nx = 1)\n     ^ error: syntax-error',
    /has no matching opening bracket/,
  ],
  ['a bracket that closes nothing', 'x = 1)\n     ^ error: syntax-error', /has no matching opening bracket/],
  ['a bracket of another kind', 'x = (1,\n2]\n ^ error: syntax-error', /does not match the "\(" on line 2/],
  ['an open string', 'x = "abc\n    ^^^^ error: syntax-error', /string is never closed/],
  [
    'an open string over several lines',
    'x = """abc\n    ^^^ error: syntax-error\nmore',
    /string is never closed/,
  ],
  ['an open field of an f-string', 'x = f"{a"\n     ^^^^ error: syntax-error', /never closed/],
  ['a missing colon', 'def f()\n      ^ error: syntax-error\n    pass', /statement needs a ":"/],
  [
    'a missing block',
    'def f():\n       ^ error: syntax-error\nx = 1',
    /indented block must follow the ":" on line 2/,
  ],
  ['a missing block at the end', 'class A:\n       ^ error: syntax-error\n', /indented block must follow/],
  ['a line indented too much', 'x = 1\n    y = 2\n^^^^ error: syntax-error', /indented more than/],
  [
    'a line indented differently from every block around it',
    'if x:\n    y = 2\n  z = 3\n^^ error: syntax-error',
    /^Unindent does not match any outer block/,
  ],
  ['print of Python 2', 'print "x"\n^^^^^^^^^ error: syntax-error', /print is a function/],
  [
    'a try without a handler',
    'try:\n^^^ error: syntax-error\n    x = 1\ny = 2',
    /needs an except or finally clause/,
  ],
  ['a half-written assignment', 'x = = 1\n    ^ error: syntax-error', /not valid Python/],
  ['a missing name', 'for x in : pass\n        | error: syntax-error', /^Python expects a name here/],
  [
    'async as a name',
    'async = 1\n^^^^^ error: syntax-error\ny = 2',
    /^async can only come before def, for or with\. Use another name/,
  ],
  ['a half-written async', 'async d\n^^^^^ error: syntax-error\ny = 2', /^async can only come before/],
  [
    'a statement after async',
    'async def f()\n            ^ error: syntax-error\n    pass',
    /statement needs a ":"/,
  ],
  [
    'a whitespace character that is not a space',
    'x =\u00a01\n   ^ error: syntax-error',
    /^Python does not allow the invisible character U\+00A0 here/,
  ],
  ['one that indents a line', 'if x:\n    \u00a0y = 1\n    ^ error: syntax-error', /U\+00A0/],
  [
    'a half-written line with one in a string',
    'x = = "a\u00a0b"\n    ^ error: syntax-error',
    /not valid Python, starting at "="/,
  ],
  [
    'a parameter without a default after one with a default',
    'def f(x, y=1, z):\n              ^ error: syntax-error\n    pass',
    /^A parameter without a default cannot follow one with a default/,
  ],
  [
    'the same with annotations, in a method',
    'class A:\n    def f(self, y: int = 1, z: str): pass\n                            ^^^^^^ error: syntax-error',
    /^A parameter without a default/,
  ],
  [
    'the same in a lambda',
    'f(lambda a=1, b: 1)\n              ^ error: syntax-error',
    /^A parameter without/,
  ],
  [
    'an argument after a keyword argument',
    'print(sep="x", 2)\n               ^ error: syntax-error',
    /^A positional argument cannot follow a keyword argument/,
  ],
  [
    'an argument given twice',
    'f(a=[1], b=2, a=3)\n              ^ error: syntax-error',
    /^The argument a is given twice/,
  ],
  [
    'tabs and spaces that do not agree',
    'if x:\n        y = 1\n\tz = 2\n^ error: syntax-error',
    /^The tabs and spaces that indent this line do not match/,
  ],
  [
    'a return outside a function',
    'return 1\n^^^^^^ error: syntax-error',
    /^return is only allowed in a function/,
  ],
  [
    'a yield in the body of a class',
    'class A:\n    x = yield 1\n        ^^^^^ error: syntax-error',
    /^yield is only allowed in a function/,
  ],
  [
    'an await in a plain function',
    'def f():\n    await x\n    ^^^^^ error: syntax-error',
    /^await is only allowed in an async function\. Write async before the def/,
  ],
  [
    'an await in the body of a class in an async function',
    'async def f():\n    class A:\n        x = await y\n            ^^^^^ error: syntax-error',
    /^await is only allowed in an async function/,
  ],
  [
    'a list of an async for outside an async function',
    'x = [y async for y in z]\n       ^^^^^^^^^ error: syntax-error',
    /^async for is only allowed in an async function/,
  ],
  [
    'a break outside a loop',
    'for x in y:\n    def f():\n        if x:\n            break\n            ^^^^^ error: syntax-error',
    /^break is only allowed in a loop/,
  ],
  ['a continue outside a loop', 'if x: continue\n      ^^^^^^^^ error: syntax-error', /^continue is only/],
  [
    'a nonlocal in a function of the module',
    'def f():\n    nonlocal x\n    ^^^^^^^^ error: syntax-error',
    /^nonlocal is only allowed in a function inside another function\. Use global/,
  ],
  [
    'a star import in a function',
    'def f():\n    from os import *\n                   ^ error: syntax-error',
    /^import \* is only allowed at the top level of a module/,
  ],
  [
    'a walrus that is a statement',
    'x := 1\n^^^^^^ error: syntax-error',
    /^An assignment with := needs parenth/,
  ],
  [
    'a repeated parameter',
    'def f(a, *b, a=1): pass\n             ^ error: syntax-error',
    /^Two parameters have the name a/,
  ],
  [
    'the same in a lambda after a default',
    'x = lambda a=1, a=2: a\n                ^ error: syntax-error',
    /^Two/,
  ],
  [
    'a default before other parameters of a lambda',
    'x = lambda a=1, b: a\n                ^ error: syntax-error',
    /^A parameter without/,
  ],
  [
    'a case that no value can reach',
    'match x:\n    case LIMIT: pass\n         ^^^^^ error: syntax-error\n    case 2: pass',
    /^The pattern LIMIT matches everything, so no case can follow it\. Use a dotted name/,
  ],
  [
    'a Windows path in a plain string',
    'x = "C:\\Users\\new"\n       ^^ error: syntax-error',
    /^The escape \\U is incomplete\. Double the backslash/,
  ],
  [
    'a truncated escape',
    'x = b"a\\\\\\x1"\n         ^^ error: syntax-error',
    /^The escape \\x is incomplete/,
  ],
  [
    'bytes with non-ASCII letters',
    'x = b"\u00e9"\n    ^^^^ error: syntax-error',
    /^A bytes literal can contain only ASCII/,
  ],
  [
    'bytes next to a string',
    'x = b"a" "b"\n    ^^^^^^^^ error: syntax-error',
    /^Bytes and string literals cannot be concatenated/,
  ],
  [
    'a generator next to other arguments',
    'f(x for x in y, 1)\n              ^ error: syntax-error',
    /^The generator expression before this comma needs parentheses/,
  ],
  [
    'a star in parentheses',
    'x = (*a)\n     ^^ error: syntax-error',
    /^A starred value must be in a list or a tuple/,
  ],
  [
    'a star in parentheses of an argument',
    'f((*a))\n   ^^ error: syntax-error',
    /^A starred value must be in a list or a tuple/,
  ],
  ['a star alone', 'x = *a\n    ^^ error: syntax-error', /^A starred value must be in a list or a tuple/],
  ['backquotes', 'x = `y`\n    ^ error: syntax-error', /^Python 3 does not support backquotes/],
  [
    'an operator of Python 2',
    'x = 1 <> 2\n      ^^ error: syntax-error',
    /does not have the operator <>. Write !=/,
  ],
  [
    'an octal number of Python 2',
    'x = 0777\n    ^^^^ error: syntax-error',
    /cannot have leading zeros\. Write 0o777/,
  ],
  [
    'a long integer of Python 2',
    'x = 10L\n    ^^^ error: syntax-error',
    /^Integers have no suffix in Python 3\. Write 10\./,
  ],
  [
    'a raise of Python 2',
    'raise A, "b"\n^^^^^^^^^^^^ error: syntax-error',
    /^raise takes only one exception/,
  ],
  [
    'a tuple as a parameter',
    'def f(a, (b, c)): pass\n         ^^^^^^ error: syntax-error',
    /^A parameter must be a/,
  ],
  ['a NUL byte', 'x = 1\0\n     ^ error: syntax-error', /NUL/],
];

/** Valid Python 3.10 to 3.14 that parsers get wrong. */
const VALID = String.raw`match = case = type = print = _ = 1
match match:
    case {"a": [1, *_], **rest} if rest: pass
    case -1 + 2j | "a" "b" | None: pass
    case Point(x=0) as point: pass
type Alias[T] = list[T]
def generic[T: int = str, *Ts = *tuple[int, ...], **P = [int]](x: T) -> T: return x
class Box[T]: item: T
value = f"{'a' + f"{1!r:>{10}}"} {{}} {value:%H:%M} {x=}"
escaped = f"\{"("} \{'a'}"
raw = rf"\{value}" + rb'\\'.decode() + "\
"
try:
    pass
except* (A, B):
    pass
with (open("a") as a, open("b") as b,):
    pass
print(value
      .
  upper())
lambda *a, k=1, **kw: (yield)
async def agen():
    return [x async for x in y if await x], *await z
def spread(*args):
    yield value, *[arg for arg in args], *"text", *-value
    for arg in *(1, 2), *{3}: pass
class Commented:
    @property
# a comment less indented than the decorator
    def item(self): ...
def f(a, /, b, *, c): print >>f, a
def g(a=1, *b, c, d=2, e, **f): h(a=1, *b, c=2, **d, e=3, **f)
def i(a=1, *, b, c: int = 2, d: int): j(a=1, b=(1, 2), c=lambda *, a=1, b: a)
def k(*, a=1, b): l(a=m(a=1), b=1) or n(a == 1, b)
class O(P, metaclass=Q, **r): "(a=1, b)"
if x:
<tab>pass
    # a comment anywhere
else :
        pass; pass
@a.b[0](c).d
@(lambda f: f)
def decorated(): ...
x = (
 1 if y else
2)
assert not x, "text with ' quotes"
del (a, b), c[1:2, ::3]
for a in b:
    match a:
        case c if c: continue
        case c,: pass
        case _: break
else: (lambda: (yield))
def m():
    w = (x async for x in y), [(z := 1) for _, in y if (z := 2)]
    class N:
        def __init__(self):
            def await_(): nonlocal v; return w
            v = 1
    if (v := 1): x[v := 2], print(v := 3, f"{v:=5}", *w)
    *a, b = c
    return b"\x00\u12" rb"\x1", r"C:\Users", "\\Users\N{DIGIT ONE}\U0001F600", f"\N{DASH}{v}", [0, 00, 0x1F, 1e05]
global_ = nonlocal_ = await_ = 0xFF_FF + 1_000.5e-3j
`.replace('<tab>', '\t');

describe('syntax-error', () => {
  for (const [title, source, message] of FAULTS) {
    it(`reports ${title}`, async () =>
      void (await check(`=== a.py\n${SDK}\n${source}\n`, { messages: [message] })));
  }

  it('keeps the declarations of a broken file and of its neighbors', async () => {
    await check(
      `=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
x = (
    ^ error: syntax-error
=== b.py
${SDK}
@Endpoint(name="b")
def b(): ...
`,
      { endpoints: ['queue | a | a.py:2 | ANY | 0-3 | a:a:3', 'queue | b | b.py:2 | ANY | 0-3 | b:b:3'] },
    );
  });

  it('is reported for files that only mention the word, and for those that add routes or functions', async () => {
    await check(`=== a.py
# Endpoint
x = = 1
    ^ error: syntax-error
=== b.py
x = = 1
=== lb.py
${SDK}
api = Endpoint(name="api")
task = Endpoint(name="task")
=== routes.py
from lb import api
@api.get("/a")
def a(): ...
x = = 1
    ^ error: syntax-error
=== tasks.py
from lb import task
@task
def a(): ...
x = = 1
    ^ error: syntax-error
=== other.py
from flask import app
@app.get("/a")
def a(): ...
x = = 1
`);
  });

  it('leaves arguments of Endpoint to the finding that can repair them', async () => {
    await check(`=== a.py
from toolkit_sdk import Endpoint, GpuGroup
@Endpoint(name="a", GpuGroup.ANY)
                    ^^^^^^^^^^^^ error: invalid-argument
def a(): ...
=== b.py
${SDK}
@Endpoint(workers=1, idle_timeout=5, workers=2)
                                     ^^^^^^^ error: invalid-argument
def b(): ...
`);
  });

  it('is never reported for valid Python', async () => {
    await check(`=== a.py\n${SDK}\n${VALID}`);
  });

  it('reads the code around valid Python that the grammar does not know', async () => {
    await check(
      `=== a.py
import functools
${SDK}
@Endpoint(name="model")
class Model:
    @functools.cache
# a comment
    def run(self):
        return 1, *[2]
`,
      { endpoints: ['queue | model | a.py:3 | ANY | 0-3 | a:Model.run:7'] },
    );
  });

  it('reports nothing in the standard library of an installed Python', async () => {
    const python = 'import sysconfig; print(sysconfig.get_path("stdlib"))';
    const library = execFileSync('python3', ['-c', python], { encoding: 'utf8' }).trim();
    const root = writeProject({ 'pyproject.toml': '[project]\nname = "library"\n' });
    symlinkSync(library, path.join(root, 'library'));
    const reading = await readProject({ root });
    assert.deepEqual(reading.diagnostics, []);
    assert.deepEqual(reading.endpoints, []);
    assert.ok(reading.files > 500, `${reading.files} files`);
  });
});
