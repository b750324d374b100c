import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { check, toldOf, writeProject } from './checkProject.ts';

const SDK = 'from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup, GpuType';

/** Title, project with its marks, and what the messages must say. */
const CASES: [title: string, fixture: string, ...messages: RegExp[]][] = [
  [
    'duplicate-queue-name: at every site, through aliases, constants and function names',
    `=== a.py
${SDK}
@Endpoint(name="one")
               ^^^^^ error: duplicate-queue-name
def first(): ...
@Endpoint()
def one(): ...
    ^^^ error: duplicate-queue-name
=== b.py
from toolkit_sdk import Endpoint as E
NAME = "on" "e"
@E(NAME)
   ^^^^ error: duplicate-queue-name
def second(): ...
`,
    /belongs to 3 queue-based functions/,
  ],
  [
    'duplicate-queue-name: one declaration on two functions',
    `=== a.py
${SDK}
queue = Endpoint(name="one")
@queue
def first(): ...
    ^^^^^ error: duplicate-queue-name
@queue
def second(): ...
    ^^^^^^ error: duplicate-queue-name
`,
  ],
  [
    'duplicate-queue-name: dynamic names are never duplicates',
    `=== a.py
import os
${SDK}
@Endpoint(name=os.name)
               ^^^^^^^ hint: dynamic-value
def first(): ...
@Endpoint(name=os.name)
               ^^^^^^^ hint: dynamic-value
def second(): ...
`,
  ],
  [
    'name-in-both-forms: at every site',
    `=== a.py
${SDK}
@Endpoint(name="one")
               ^^^^^ error: name-in-both-forms
def first(): ...
=== b.py
${SDK}
api = Endpoint(name="one")
                    ^^^^^ error: name-in-both-forms
@api.get("/a")
def a(): ...
`,
  ],
  [
    'name-in-both-forms: an instance with routes that also decorates',
    `=== a.py
${SDK}
api = Endpoint(name="one")
@api.get("/a")
def a(): ...
@api
def b(): ...
    ^ error: name-in-both-forms
`,
  ],
  [
    'invalid-cpu and unknown-cpu',
    `=== a.py
${SDK}
@Endpoint(cpu="5c-4-8")
              ^^^^^^^^ error: invalid-cpu
def a(): ...
@Endpoint(cpu=4)
              ^ error: invalid-cpu
def b(): ...
@Endpoint(cpu=CpuInstanceType.CPU5C_4_9)
              ^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-cpu
def c(): ...
@Endpoint(cpu="cpu5c-4-9")
              ^^^^^^^^^^^ warning: unknown-cpu
def d(): ...
@Endpoint(cpu="cpu5c-4-0")
              ^^^^^^^^^^^ error: invalid-cpu
def e(): ...
`,
    /form cpu<generation>-<vcpu>-<ram_gb>/,
    /did you mean "cpu5c-4-8"/,
    /CpuInstanceType has no member CPU5C_4_9/,
  ],
  [
    'unknown-gpu: names the member that was meant, also of the other enumeration',
    `=== a.py
${SDK}
@Endpoint(gpu=GpuGroup.ADA_42)
              ^^^^^^^^^^^^^^^ error: unknown-gpu
def a(): ...
@Endpoint(gpu=GpuGroup.NVIDIA_L4)
              ^^^^^^^^^^^^^^^^^^ error: unknown-gpu
def b(): ...
@Endpoint(gpu="ANY")
              ^^^^^ error: invalid-argument
def c(): ...
`,
    /did you mean GpuGroup.ADA_\d\d/,
    /did you mean GpuType.NVIDIA_L4/,
    /Write for example gpu=GpuGroup.ANY/,
  ],
  [
    'invalid-workers: the whole tuple, and what to write',
    `=== a.py
${SDK}
@Endpoint(workers=(3, 1))
                  ^^^^^^ error: invalid-workers
def a(): ...
@Endpoint(workers=(1, 2, 3))
                  ^^^^^^^^^ error: invalid-workers
def b(): ...
@Endpoint(workers=-1)
                  ^^ error: invalid-workers
def c(): ...
@Endpoint(workers="2")
                  ^^^ error: invalid-workers
def d(): ...
@Endpoint(workers=True)
                  ^^^^ error: invalid-workers
def e(): ...
@Endpoint(workers=(0, 1.5))
                  ^^^^^^^^ error: invalid-workers
def f(): ...
@Endpoint(workers=(0, 0))
def g(): ...
`,
    /Write workers=\(1, 3\)/,
  ],
  [
    'invalid-argument: types and ranges, at the item where there is one',
    `=== a.py
${SDK}
@Endpoint(name=3)
               ^ error: invalid-argument
def a(): ...
@Endpoint(dependencies="torch")
                       ^^^^^^^ error: invalid-argument
def b(): ...
@Endpoint(dependencies=["torch", 3])
                                 ^ error: invalid-argument
def c(): ...
@Endpoint(env={"A": "1", "B": 2})
                              ^ error: invalid-argument
def d(): ...
@Endpoint(idle_timeout=-1, gpu_count=0, max_concurrency=1.5, execution_timeout=1, image="")
                                                                                        ^^ error: invalid-argument
                                                                               ^ error: invalid-argument
                                                        ^^^ error: invalid-argument
                                     ^ error: invalid-argument
                       ^^ error: invalid-argument
def e(): ...
@Endpoint("x", GpuGroup.ANY)
               ^^^^^^^^^^^^ error: invalid-argument
def f(): ...
@Endpoint("y", name="z")
               ^^^^ error: invalid-argument
def g(): ...
`,
    /execution_timeout must be a number of seconds from 5 to 604800/,
    /Endpoint takes only its name without a keyword/,
    /name is given twice/,
  ],
  [
    'unknown-keyword: at the keyword, with the one that was meant',
    `=== a.py
${SDK}
@Endpoint(worker=(0, 1), zzzzzzzz=1)
          ^^^^^^ error: unknown-keyword
                         ^^^^^^^^ error: unknown-keyword
def a(): ...
`,
    /did you mean workers/,
    /it takes name, gpu, cpu/,
  ],
  [
    'gpu-and-cpu: both given, unless one is None',
    `=== a.py
${SDK}
@Endpoint(gpu=GpuGroup.ANY, cpu="cpu5c-4-8")
                            ^^^ error: gpu-and-cpu
def a(): ...
@Endpoint(gpu=None, cpu="cpu5c-4-8")
def b(): ...
`,
  ],
  [
    'missing-name: an instance without one, and empty ones',
    `=== a.py
${SDK}
api = Endpoint()
      ^^^^^^^^ error: missing-name
@api.get("/a")
def a(): ...
@Endpoint(name="")
               ^^ error: missing-name
def b(): ...
`,
  ],
  [
    'invalid-name and reserved-name',
    `=== a.py
${SDK}
@Endpoint(name="my endpoint")
               ^^^^^^^^^^^^^ error: invalid-name
def a(): ...
@Endpoint(name="live-one")
               ^^^^^^^^^^ error: reserved-name
def b(): ...
@Endpoint()
def _private(): ...
    ^^^^^^^^ error: invalid-name
`,
    /name="my-endpoint"/,
  ],
  [
    'duplicate-route: across files, with other parameter names',
    `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/items/{id}")
         ^^^^^^^^^^^^^ error: duplicate-route
def a(id): ...
@api.post("/items/{id}")
def b(id): ...
=== b.py
from a import api
@api.get("/items/{name}")
         ^^^^^^^^^^^^^^^ error: duplicate-route
def c(name): ...
`,
  ],
  [
    'invalid-path and reserved-path',
    `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("items")
         ^^^^^^^ error: invalid-path
def a(): ...
@api.get()
 ^^^^^^^ error: invalid-path
def b(): ...
@api.get
 ^^^^^^^ error: invalid-path
def c(): ...
@api.get("/ping")
         ^^^^^^^ error: reserved-path
def d(): ...
@api.get("/a{b")
         ^^^^^^ error: invalid-path
def e(): ...
@api.get("/a b")
         ^^^^^^ error: invalid-path
def f(): ...
@api.get(3)
         ^ error: invalid-path
def g(): ...
@api.get(path="/{a}/{a}")
              ^^^^^^^^^^ error: invalid-path
def h(a): ...
`,
    /Write "\/items"/,
  ],
  [
    'route-parameter-mismatch: the parameter inside of the path',
    `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get(r"/a/{id}/{name:path}")
              ^^^^ error: route-parameter-mismatch
def a(name, *id): ...
@api.get("/\\x61/{id}")
         ^^^^^^^^^^^^ error: route-parameter-mismatch
def b(): ...
@api.get("/c/{id}")
def c(**values): ...
`,
    /The path has \{id\}, but a has no parameter id/,
  ],
  [
    'worker-quota: at each contributor, defaults counted, names once',
    `=== pyproject.toml
[tool.toolkit]
quota = 5
=== a.py
${SDK}
@Endpoint(workers=(0, 3))
                  ^^^^^^ error: worker-quota
def a(): ...
@Endpoint()
 ^^^^^^^^ error: worker-quota
def b(): ...
@Endpoint(workers=0)
def c(): ...
`,
    /over the quota of 5 \(a 3, b 3\); this one has 3 by default/,
  ],
  [
    'worker-quota: of many endpoints the largest are named',
    `=== a.py
${SDK}
${Array.from({ length: 7 }, (_, i) => `e${i} = Endpoint(name="e${i}", workers=${i + 2})\n${' '.repeat(33)}^ error: worker-quota`).join('\n')}
${Array.from({ length: 7 }, (_, i) => `@e${i}.get("/")\ndef f${i}(): ...`).join('\n')}
`,
    /add up to 35, over the quota of 30 \(e6 8, e5 7, e4 6, e3 5, e2 4, e1 3, 1 more\); this one has 2/,
  ],
  [
    'worker-quota: thirty workers are allowed without a quota of one’s own',
    `=== a.py
${SDK}
@Endpoint(workers=(0, 30))
def a(): ...
`,
  ],
  [
    'top-level-import: third-party packages at the top of a file that declares',
    `=== a.py
from __future__ import annotations
import json, numpy.linalg as la, os.path
             ^^^^^^^^^^^^ warning: top-level-import
from PIL import Image
     ^^^ warning: top-level-import
import local, package.inner
from . import local as again
from typing import TYPE_CHECKING
import toolkit_sdk
${SDK}
if TYPE_CHECKING:
    import pandas
try:
    import cv2
except ImportError:
    cv2 = None
if __name__ == "__main__":
    import rich
@Endpoint()
def a():
    import torch
=== local.py
import requests
=== package/inner.py
import requests
`,
    /Move the import of PIL into the functions that use it/,
  ],
  [
    'top-level-import: also in a file that only adds routes',
    `=== a.py
${SDK}
api = Endpoint(name="api")
=== b.py
import requests
       ^^^^^^^^ warning: top-level-import
from a import api
@api.get("/a")
def a(): ...
`,
  ],
  [
    'unsupported-form: declarations that no worker could load',
    `=== a.py
import functools
${SDK}
def factory(name):
    @Endpoint(name="inner")
     ^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
    def handler(): ...
    api = Endpoint(name=name)
          ^^^^^^^^^^^^^^^^^^^ error: unsupported-form
    return Endpoint(name=name)
           ^^^^^^^^^^^^^^^^^^^ error: unsupported-form
ALL = {"a": Endpoint(name="a")}
            ^^^^^^^^^^^^^^^^^^ error: unsupported-form
class Model:
    @Endpoint(name="method")
     ^^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
    def predict(self): ...
class Derived(Endpoint): ...
              ^^^^^^^^ error: unsupported-form
gpu = functools.partial(Endpoint, gpu=GpuGroup.ANY)
      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
@Endpoint
 ^^^^^^^^ error: unsupported-form
def bare(): ...
if __name__ == "__main__":
    @Endpoint(name="main")
     ^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
    def main(): ...
api = Endpoint(name="api")
@api.head("/x")
 ^^^^^^^^ error: unsupported-form
def head(): ...
def register():
    @api.get("/late")
    ^^^^^^^^^^^^^^^^^ error: unsupported-form
    def late(): ...
@api.get("/class")
^^^^^^^^^^^^^^^^^^ error: unsupported-form
class Page:
    def show(self): ...
`,
  ],
  [
    'unsupported-form: declarations in the middle of an expression',
    `=== a.py
${SDK}
LIST = [Endpoint(name="b")]
        ^^^^^^^^^^^^^^^^^^ error: unsupported-form
maybe = Endpoint(name="c") if LIST else None
        ^^^^^^^^^^^^^^^^^^ error: unsupported-form
if (walrus := Endpoint(name="d")): pass
              ^^^^^^^^^^^^^^^^^^ error: unsupported-form
@(Endpoint(name="e"))
  ^^^^^^^^^^^^^^^^^^ error: unsupported-form
def parenthesized(): ...
late = Endpoint(name="f")(parenthesized)
       ^^^^^^^^^^^^^^^^^^ error: unsupported-form
`,
  ],
  [
    'unsupported-form: routes that decorate nothing where they stand',
    `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
api.post("/a")(a)
^^^^^^^^^^^^^^ error: unsupported-form
late = api.put("/b")
       ^^^^^^^^^^^^^ error: unsupported-form
@late
def b(): ...
for path in ["/c"]:
    api.get(path)(b)
    ^^^^^^^^^^^^^ error: unsupported-form
class Client:
    def get(self, path): ...
Client().get("/d")
client = Client()
client.get("/e")
{"api": 1}.get("api")
`,
    /Write @api.post\(...\) above the function that it runs/,
  ],
  [
    'many-functions: a class with more than one public method, or none',
    `=== a.py
import functools
${SDK}
@Endpoint(name="two")
class Two:
      ^^^ error: many-functions
    def run(self): ...
    async def stop(self): ...
@Endpoint(name="none")
class Nothing(Two):
      ^^^^^^^ error: many-functions
    limit = 3
    def __init__(self): ...
    def close(self): ...
    def _load(self): ...
    @property
    def size(self): ...
    @functools.cached_property
    def table(self): ...
    class Inner:
        def run(self): ...
@Endpoint(name="static")
class Static:
      ^^^^^^ error: many-functions
    @staticmethod
    def run(text): ...
@Endpoint(name="one")
class One:
    if functools:
        def run(self, text): ...
    else:
        def run(self, text, more): ...
`,
    /Two has 2 public methods \(run, stop\)/,
    /Nothing has no public method of its own/,
    /Make it a plain method: def run\(self, \.\.\.\)/,
  ],
  [
    'no-routes: an instance to which nothing is added',
    `=== a.py
${SDK}
api = Endpoint(name="api")
      ^^^^^^^^ warning: no-routes
used = Endpoint(name="used")
queue = Endpoint(name="queue")
@queue
def work(): ...
def factory():
    inner = Endpoint(name="inner")
            ^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
=== b.py
from a import used
@used.get("/x")
def x(): ...
`,
  ],
  [
    'not-an-endpoint: a route on something of the project that is no instance',
    `=== a.py
import lb
from lb import api, nothing
${SDK}
@Endpoint.get("/a")
 ^^^^^^^^^^^^ warning: not-an-endpoint
def a(): ...
@ap.get("/b")
 ^^^^^^ warning: not-an-endpoint
def b(): ...
@lb.post("/c")
 ^^^^^^^ warning: not-an-endpoint
def c(): ...
text = "api"
@text.get("/d")
 ^^^^^^^^ warning: not-an-endpoint
def d(): ...
@nothing.get("/e")
 ^^^^^^^^^^^ warning: not-an-endpoint
def e(): ...
@api.get("/f")
def f(): ...
=== lb.py
${SDK}
api = Endpoint(name="api")
`,
    /ap is defined nowhere, so this route would not be served. Write @api.get\(...\)/,
    /lb is a module and no instance of Endpoint/,
    /Endpoint is the class Endpoint and no instance of it/,
  ],
  [
    'not-an-endpoint: never on what another package or running code made',
    `=== a.py
import responses, httpx
from fastapi import FastAPI, APIRouter as Router
from flask import *
${SDK}
app = FastAPI()
router = Router(prefix="/x")
client = httpx.Client()
class Own:
    def get(self, path): ...
own = Own()
table = {}
@app.get("/a")
def a(): ...
@router.post("/b")
def b(): ...
@responses.get("/c")
def c(): ...
@own.get("/d")
def d(): ...
@table.get("/e")
def e(): ...
@blueprint.get("/f")
def f(): ...
def register(service):
    @service.get("/g")
    def g(): ...
for one in [app]:
    @one.get("/h")
    def h(): ...
`,
  ],
  [
    'missing-description: a served function without a first line of its docstring',
    `=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
    ^ hint: missing-description
@Endpoint(name="b")
def b():
    """Says."""
@Endpoint(name="c")
class C:
      ^ hint: missing-description
    def run(self): ...
@Endpoint(name="d")
class D:
    """Says."""
    def run(self): ...
@Endpoint(name="e")
class E:
    def run(self):
        """Says."""
api = Endpoint(name="api")
@api.get("/x")
@api.get("/y")
def x(): """ """
    ^ hint: missing-description
def unserved(): ...
`,
  ],
  [
    'dynamic-value: at the value, but for env from the environment',
    `=== a.py
import os
${SDK}
SETTINGS = {"name": "x", "workers": int("1")}
@Endpoint(name="a", workers=(0, len("ab")), env={"A": os.environ["A"], "B": str(1), "C": os.getenv("C")})
                            ^^^^^^^^^^^^^^ hint: dynamic-value
                                                                            ^^^^^^ hint: dynamic-value
def a(): ...
@Endpoint(**SETTINGS)
            ^^^^^^^^ hint: dynamic-value
def b(): ...
@Endpoint(name=os.environ["NAME"])
               ^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def c(): ...
`,
    /Only running the code could tell the value of workers/,
    /read it at deploy with os.environ/,
  ],
  [
    'provided-by-image: at the dependency',
    `=== a.py
${SDK}
GPU = ["Torch==2.5", "idna"]
@Endpoint(name="a", dependencies=["numpy>=2", "torch-geometric", "triton [x]"])
                                  ^^^^^^^^^^ hint: provided-by-image
                                                                 ^^^^^^^^^^^^ hint: provided-by-image
def a(): ...
@Endpoint(name="b", dependencies=GPU)
                                 ^^^ hint: provided-by-image
def b(): ...
`,
  ],
  [
    'imports-ignored-file: a module that ships and needs one that does not',
    `=== .gitignore
local_settings.py
/private/
tests/
/json.py
/build/
=== .toolkitignore
package/secret.py
!/build/
=== local_settings.py
=== json.py
=== private/keys.py
=== build/made.py
=== package/__init__.py
from . import open
from .secret import KEY
     ^^^^^^^ error: imports-ignored-file
=== package/secret.py
=== package/open.py
def late():
    import local_settings
           ^^^^^^^^^^^^^^ error: imports-ignored-file
=== vendored/__init__.py
def tests():
    import vendored.tests
=== vendored/tests/__init__.py
=== nested/pyproject.toml
[tool.toolkit]
=== nested/tool.py
=== a.py
import json, build.made
from package import (
    open,
    secret,
    ^^^^^^ error: imports-ignored-file
)
import private.keys as keys
       ^^^^^^^^^^^^ error: imports-ignored-file
from private import keys
                    ^^^^ error: imports-ignored-file
from nested.tool import work
     ^^^^^^^^^^^ error: imports-ignored-file
try:
    import local_settings
except ImportError:
    local_settings = None
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    /a.py imports private\/keys.py, which does not ship/,
    /Add the line "!\/private\/keys.py" to .toolkitignore/,
    /Move it out of nested, whose pyproject.toml makes it a project of its own/,
  ],
  [
    'imports-ignored-file: not in projects without endpoints',
    `=== .gitignore
local_settings.py
=== local_settings.py
=== json.py
=== a.py
import local_settings
class Endpoint: ...
`,
  ],
  [
    'nothing is found in projects that do not use toolkit_sdk',
    `=== .gitignore
local_settings.py
=== local_settings.py
=== json.py
=== app.py
import requests, local_settings
from fastapi import FastAPI
from starlette.endpoints import HTTPEndpoint as Endpoint
api = Endpoint(name=1, workers="many")
@api.get("no/slash")
def a(): ...
@undefined.get("/x")
def b(): ...
@Endpoint
class C:
    def one(self): ...
    def two(self): ...
Endpoint("a")(b)
=== other.py
class Endpoint: ...
@Endpoint(cpu=3, gpu=4)
def d(): ...
=== pyproject.toml
[tool.other]
endpoints = [1]
`,
  ],
  [
    'ignore comments: silence the named warnings and hints of one line, and no error',
    `=== a.py
import requests # toolkit: ignore[top-level-import]
import pandas # toolkit: ignore[no-routes, top-level-import] – used everywhere
import numpy # toolkit: ignore[other]
       ^^^^^ warning: top-level-import
import torch # toolkit: ignore
       ^^^^^ warning: top-level-import
text = "# toolkit: ignore[no-routes]"; ${SDK.replace('from', 'pass; from')}
api = Endpoint( # toolkit: ignore[no-routes]
    name="api")
@Endpoint(
    name="a",
    workers=(3, 1), # toolkit: ignore[invalid-workers]
            ^^^^^^ error: invalid-workers
    dependencies=[
        "numpy", # toolkit: ignore[provided-by-image]
        "torch",
        ^^^^^^^ hint: provided-by-image
    ],
)
def a(): # toolkit: ignore[missing-description]
    ...
@Endpoint(name="b")
def b(): ...
    ^ hint: missing-description
`,
    /A comment cannot silence an error/,
  ],
  [
    'unsupported-form: declarations after the end of their module',
    `=== a.py
import sys
${SDK}
def stop():
    sys.exit(1)
if len(sys.argv) > 9:
    raise SystemExit(1)
@Endpoint(name="before")
def before(): ...
raise SystemExit("never")
api = Endpoint(name="api")
      ^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
@api.get("/a")
def a(): ...
`,
    /The module ends at "raise SystemExit\("never"\)" in line 9/,
  ],
  [
    'unsupported-form: a class whose instance needs arguments',
    `=== a.py
${SDK}
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
class A:
    def __init__(self, path, size=1): ...
    def run(self): ...
@Endpoint(name="b")
class B:
    def __init__(self, path="x", *rest, size=1, **more): ...
    def run(self): ...
`,
    /A cannot be made without path, and a worker makes its instance without arguments/,
  ],
  [
    'unsupported-form: a function that is defined again',
    `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
^^^^^^^^^^^^^^ error: unsupported-form
def handler(): ...
@api.get("/b")
def handler(): ...
`,
    /defined again in line 6/,
  ],
  [
    'unsupported-form: a function whose name is given to something else',
    `=== a.py
${SDK}
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
def a(): ...
@Endpoint(name="b")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
def b(): ...
@Endpoint(name="c")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
def c(): ...
@Endpoint(name="d")
def d(): ...
e = None
@Endpoint(name="e")
def e(): ...
@Endpoint(name="f")
def f(): ...
(a, x) = None, 1
from json import loads as b
del c
d = print(d) or d
if __name__ == "__main__":
    e = 1
    def f(): ...
`,
    /Line 15 gives the name a to something else, so a worker would not find this function by it/,
  ],
  [
    'unsupported-form: routes after the end of their module, on an instance before it',
    `=== a.py
import sys
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
sys.exit()
@api.get("/b")
^^^^^^^^^^^^^^ error: unsupported-form
def b(): ...
`,
    /The module ends at "sys.exit\(\)" in line 6, so a worker would not come to b/,
  ],
  [
    'unsupported-form: the class handed on as a value, or looked up by a text',
    `=== a.py
import importlib
import toolkit_sdk as sdk
from toolkit_sdk import Endpoint as E
D = {"e": E, **{}}
          ^ error: unsupported-form
@D["e"](name="a")
def a(): ...
make = getattr(sdk, "Endpoint")
       ^^^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
@make(name="b")
def b(): ...
@importlib.import_module("toolkit_sdk").Endpoint(name="c")
 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
def c(): ...
def register(declare=sdk.Endpoint):
                     ^^^^^^^^^^^^ error: unsupported-form
    return declare
register(E)
         ^ error: unsupported-form
def get():
    return E if D else None
           ^ error: unsupported-form
for each in (E, E):
             ^ error: unsupported-form
                ^ error: unsupported-form
    pass
`,
    /Endpoint goes on as a value here/,
    /Endpoint is looked up by a text here/,
    /toolkit_sdk is imported by a text here/,
  ],
  [
    'unsupported-form: not where the class is only looked at, or an alias is followed',
    `=== a.py
from __future__ import annotations
import typing
import toolkit_sdk
from toolkit_sdk import Endpoint, GpuGroup
if typing.TYPE_CHECKING:
    KINDS = [Endpoint]
Apis = dict[str, Endpoint]
Maybe = Endpoint | None
E, G = Endpoint, GpuGroup
F = toolkit_sdk.Endpoint
def each(api: Endpoint = None, *more: Endpoint) -> Endpoint:
    assert isinstance(api, (Endpoint, str)) and Endpoint is not None
    return typing.cast(Endpoint, api)
print(Endpoint.__doc__, f"{Endpoint}")
if __name__ == "__main__":
    each(Endpoint)
@E(name="a")
def a(): ...
@F(name="b")
def b(): ...
=== b.py
from other import Endpoint
register(Endpoint)
getattr(Endpoint, "Endpoint")
`,
  ],
];

describe('rules', () => {
  for (const [title, fixture, ...messages] of CASES)
    it(title, async () => void (await check(fixture, { messages })));

  it('hides-standard-module: in the first line of modules and packages at the root and under src', async () => {
    const files = {
      'json.py': 'x = 1\n',
      'queue/__init__.py': '',
      'src/email.py': '',
      'deep/types.py': '',
      'types/readme.txt': '',
      'src/toolkit_sdk.py': '',
      'random.py': '# toolkit: ignore[hides-standard-module]\n',
    };
    const found = async (more: Record<string, string>) =>
      toldOf(await readProject({ root: writeProject({ ...files, ...more }) }));
    const diagnostics = await found({ 'a.py': `${SDK}\n@Endpoint(name="a")\ndef a(): ...\n` });
    assert.deepEqual(
      diagnostics.map(
        ({ file, code, range: { start } }) => `${file} ${code} ${start.line}:${start.character}`,
      ),
      ['json.py', 'queue/__init__.py', 'src/email.py', 'src/toolkit_sdk.py'].map(
        (file) => `${file} hides-standard-module 0:0`,
      ),
    );
    assert.match(diagnostics[1]?.fix ?? '', /my_queue/);
    assert.deepEqual(await found({ 'a.py': SDK }), []);
  });

  it('names the other sites of a name that is declared twice', async () => {
    const { diagnostics } = await check(`=== a.py
${SDK}
@Endpoint(name="one")
               ^^^^^ error: duplicate-queue-name
def a(): ...
=== b.py
${SDK}
@Endpoint(name="one")
               ^^^^^ error: duplicate-queue-name
def b(): ...
`);
    const places = diagnostics
      .map(({ related }) => related.map(({ file, range }) => `${file}:${range.start.line}`))
      .filter((sites) => sites.length > 0);
    assert.deepEqual(places, [['b.py:1'], ['a.py:1']]);
  });
});
