import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'brackets, strings and blocks that are never closed',
      `=== a.py
${SDK}
x = [1,
    ^ error: syntax-error
    > This "[" is never closed.
    > Fix: Add the missing "]".
y = 2
=== b.py
${SDK}
x = "abc
    ^^^^ error: syntax-error
    > This string is never closed.
    > Fix: Add the missing ".
=== c.py
${SDK}
x = 1)
     ^ error: syntax-error
     > This ")" has no matching opening bracket.
     > Fix: Remove it.
=== d.py
${SDK}
def f():
       ^ error: syntax-error
       > An indented block must follow the ":" on line 2.
       > Fix: Add the block, or write pass.
x = 1
=== e.py
${SDK}
def f()
      ^ error: syntax-error
      > This def statement needs a ":".
      > Fix: Add the ":".
    pass
`,
    ],
    [
      'an unclosed string over several lines, and print of Python 2',
      `=== a.py
${SDK}
x = """abc
    ^^^ error: syntax-error
    > This string is never closed.
    > Fix: Add the missing """.
more
=== b.py
${SDK}
print "x"
^^^^^^^^^ error: syntax-error
> print is a function in Python 3.
> Fix: Write print(...).
`,
    ],
    [
      'an invalid argument, at the location of a misplaced one',
      `=== a.py
${SDK}
@Endpoint(name = "a"=1.5)
                    ^^^^ error: syntax-error
                    > This is not valid Python, starting at "=1.5".
def a(): ...
`,
    ],
    [
      'a file that only mentions the word, and one that adds routes',
      `=== a.py
# Endpoint
x = = 1
    ^ error: syntax-error
    > This is not valid Python, starting at "=".
=== lb.py
${SDK}
api = Endpoint(name="api")
=== routes.py
from lb import api
@api.get("/a")
def a(): ...
x = = 1
    ^ error: syntax-error
    > This is not valid Python, starting at "=".
`,
    ],
  ],
  silent: [
    [
      'a broken file that mentions none of the words',
      `=== broken.py
x = (
=== template.py
class {{ cookiecutter.name }}:
    pass
=== other.py
from flask import app
@app.get("/a")
def a(): ...
print "x"
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'soft keywords, and syntax of newer Python versions',
      `=== a.py
${SDK}
match = case = type = _ = 1
match match:
    case {"a": [1, *_], **rest} if rest: pass
    case -1 + 2j | "a" "b" | None: pass
    case Point(x=0) as point: pass
type Alias[T] = list[T]
def generic[T: int = str, *Ts = *tuple[int, ...], **P = [int]](x: T) -> T: return x
try:
    pass
except* (OSError, ValueError):
    pass
with (open("a") as a, open("b") as b,):
    pass
`,
    ],
    [
      'strings that look open, and unusual layouts',
      `=== a.py
${SDK}
value = f"{'a' + f"{1!r:>{10}}"} {{}} {value:%H:%M} {value=}"
raw = r"\\"" + rb'\\\\'.decode() + "\\
"
text = '''it's "quoted" ('''
print(value
      .
  upper())
if value:
  # a comment anywhere
        pass; pass
else :
	pass
x = (
 1 if value else
2)
`,
    ],
    [
      'a broken file that is not Python',
      `=== template.py.txt
from toolkit_sdk import Endpoint
x = (
=== notebook.ipynb
{"cells": ["from toolkit_sdk import Endpoint", "!pip install"]
=== a.py
${SDK}
`,
    ],
  ],
};
