import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from './checkProject.ts';

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
    /execution_timeout is a number of seconds from 5 to 604800/,
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
];

describe('rules', () => {
  for (const [title, fixture, ...messages] of CASES)
    it(title, async () => void (await check(fixture, { messages })));

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
