import { type FindingFixtures, SDK } from './fixtures.ts';

const GPU = `=== gpu/worker.py
${SDK}
@Endpoint(name="classify", gpu=GpuGroup.ANY)
def classify(text: str): ...
    ^^^^^^^^ [classify]
@Endpoint(name="model")
class Model:
      ^^^^^ [model]
    def predict(self, text: str): ...
LABELS = ["a"]
`;

export const fixtures: FindingFixtures = {
  fires: [
    [
      'functions and classes of other endpoints, by any name',
      `${GPU}=== api.py
${SDK}
from gpu.worker import LABELS, classify as label, Model
                               ^^^^^^^^ warning: top-level-peer-import
                               > classify belongs to the endpoint "classify", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
                               > Fix: Import classify inside the functions that call it.
                               > [classify] classify is declared here.
                                                  ^^^^^ warning: top-level-peer-import
                                                  > Model belongs to the endpoint "model", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
                                                  > Fix: Import Model inside the functions that call it.
                                                  > [model] Model is declared here.
api = Endpoint(name="api")
@api.post("/classify")
async def handle(text: str):
    return await label(text), Model().predict(text), LABELS
`,
    ],
    [
      'a module whose function a body calls, and a re-export',
      `${GPU}=== gpu/__init__.py
from .worker import classify
=== api.py
import gpu.worker
       ^^^^^^^^^^ warning: top-level-peer-import
       > classify belongs to the endpoint "classify", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
       > Fix: Import classify inside the functions that call it.
       > [classify] classify is declared here.
from gpu import worker as peer
                ^^^^^^ warning: top-level-peer-import
                > Model belongs to the endpoint "model", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
                > Fix: Import Model inside the functions that call it.
                > [model] Model is declared here.
from gpu import classify
                ^^^^^^^^ warning: top-level-peer-import
                > classify belongs to the endpoint "classify", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
                > Fix: Import classify inside the functions that call it.
                > [classify] classify is declared here.
${SDK}
@Endpoint(name="own")
def own(text: str):
    return gpu.worker.classify(text), peer.Model().predict(text)
`,
    ],
    [
      'a module that two imports bind to one name, but not two modules with one name',
      `${GPU}=== gpu/other.py
def predict(text: str): ...
=== api.py
import os
if os.environ.get("A"):
    from gpu import worker as peer
                    ^^^^^^ warning: top-level-peer-import
                    > classify belongs to the endpoint "classify", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
                    > Fix: Import classify inside the functions that call it.
                    > [classify] classify is declared here.
else:
    import gpu.worker as peer
           ^^^^^^^^^^ warning: top-level-peer-import
           > classify belongs to the endpoint "classify", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
           > Fix: Import classify inside the functions that call it.
           > [classify] classify is declared here.
if os.environ.get("B"):
    from gpu import worker as either
else:
    from gpu import other as either
${SDK}
@Endpoint(name="own")
def own(text: str):
    return peer.classify(text), either.classify(text)
`,
    ],
    [
      'star imports, and functions that a package takes from its modules',
      `${GPU}=== gpu/other.py
LIMIT = 3
=== gpu/__init__.py
from .worker import *
=== api.py
import gpu
       ^^^ warning: top-level-peer-import
       > Model belongs to the endpoint "model", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
       > Fix: Import Model inside the functions that call it.
       > [model] Model is declared here.
import gpu.other
import gpu.worker as peer
       ^^^^^^^^^^ warning: top-level-peer-import
       > classify belongs to the endpoint "classify", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
       > Fix: Import classify inside the functions that call it.
       > [classify] classify is declared here.
${SDK}
@Endpoint(name="own")
def own(text: str):
    return gpu.Model().predict(text), gpu.other.LIMIT, peer.classify(text)
=== star.py
from gpu.other import *
from gpu.worker import *
     ^^^^^^^^^^ warning: top-level-peer-import
     > classify belongs to the endpoint "classify", and importing it at the top of the file makes all of gpu/worker.py part of this file's endpoints.
     > Fix: Import classify inside the functions that call it.
     > [classify] classify is declared here.
@Endpoint(name="other")
def other(text: str): return classify(text)
`,
    ],
    [
      'a route of another load-balanced endpoint',
      `=== one.py
${SDK}
one = Endpoint(name="one")
@one.get("/a")
def a(): ...
    ^ [a]
=== two.py
${SDK}
from one import a
                ^ warning: top-level-peer-import
                > a belongs to the endpoint "one", and importing it at the top of the file makes all of one.py part of this file's endpoints.
                > Fix: Import a inside the functions that call it.
                > [a] a is declared here.
two = Endpoint(name="two")
@two.get("/b")
def b(): return a()
`,
    ],
  ],
  silent: [
    [
      'imports inside of bodies, for type checkers and for the script alone',
      `${GPU}=== api.py
from typing import TYPE_CHECKING
${SDK}
if TYPE_CHECKING:
    from gpu.worker import Model
@Endpoint(name="own")
def own(text: str):
    from gpu.worker import classify
    return classify(text)
if __name__ == "__main__":
    from gpu.worker import classify
`,
    ],
    [
      'star imports of the endpoint’s own files, and classes inside functions',
      `${GPU}=== app.py
${SDK}
api = Endpoint(name="api")
@api.get("/b")
def b(): ...
=== one.py
from app import *
def load():
    class Lazy:
        from gpu.worker import classify
@api.get("/a")
def a(): return b()
`,
    ],
    [
      'functions of the same endpoint in another file, and the instance itself',
      `=== app.py
${SDK}
api = Endpoint(name="api")
=== one.py
from app import api
@api.get("/a")
def a(): ...
=== two.py
from app import api
from one import a
@api.get("/b")
def b(): return a()
`,
    ],
    [
      'other names of the peer’s module, and files that declare nothing',
      `${GPU}=== api.py
${SDK}
from gpu.worker import LABELS
import gpu.worker
@Endpoint(name="own")
def own(text: str):
    return LABELS, gpu.worker.LABELS
=== script.py
from gpu.worker import classify
print(classify("a"))
`,
    ],
    [
      'a function with another decorator of the same name',
      `=== tasks.py
class Endpoint:
    def __init__(self, name): ...
    def __call__(self, function): return function
@Endpoint(name="task")
def task(): ...
=== api.py
${SDK}
from tasks import task
@Endpoint(name="own")
def own(): return task()
`,
    ],
    [
      'plain functions, classes and constants of a file that declares',
      `=== embed.py
${SDK}
LIMIT = 3
class Options: ...
def clean(text): ...
@Endpoint(name="embed")
def embed(text):
    return clean(text)
=== job.py
${SDK}
from embed import LIMIT, Options, clean
@Endpoint(name="job")
def job(text):
    return clean(text)[:LIMIT]
`,
    ],
    [
      'endpoints of one file that call each other',
      `=== a.py
${SDK}
@Endpoint(name="embed")
def embed(text): ...
@Endpoint(name="job")
def job(text):
    return embed(text)
`,
    ],
  ],
};
