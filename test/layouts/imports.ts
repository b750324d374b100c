/** Ways in which `Endpoint` and its instances are imported where they are used. */
import type { Layout } from './layout.ts';

export const IMPORTS: Layout[] = [
  {
    title: 'the plain form',
    files: `=== a.py
from toolkit_sdk import Endpoint

@Endpoint(name="plain")
def work():
    return "plain"
`,
    endpoints: { plain: 'queue a.py:3' },
    answers: { plain: 'plain' },
  },
  {
    title: 'another name for Endpoint',
    files: `=== a.py
from toolkit_sdk import Endpoint as E, GpuGroup as G
@E(name="aliased", gpu=G.ANY, dependencies=["idna==3.10"])
def work():
    import idna
    return idna.encode("ü").decode()
`,
    endpoints: { aliased: 'queue a.py:2' },
    answers: { aliased: 'xn--tda' },
    sample: true,
  },
  {
    title: 'the package under another name',
    files: `=== a.py
import toolkit_sdk as t
@t.Endpoint(name="package", gpu=t.GpuGroup.ANY)
def work():
    return "package"
`,
    endpoints: { package: 'queue a.py:2' },
    answers: { package: 'package' },
  },
  {
    title: 'the package under its own name, and a name given to the class later',
    files: `=== a.py
import toolkit_sdk
Declare = toolkit_sdk.Endpoint
@Declare(name="later")
def work():
    return "later"
`,
    endpoints: { later: 'queue a.py:3' },
    answers: { later: 'later' },
  },
  {
    title: 'a star import of toolkit_sdk',
    files: `=== a.py
from toolkit_sdk import *
@Endpoint(name="star", gpu=GpuGroup.ANY)
def work():
    return "star"
`,
    endpoints: { star: 'queue a.py:2' },
    answers: { star: 'star' },
  },
  {
    title: 'a re-export by a module of the project',
    files: `=== sdk.py
from toolkit_sdk import Endpoint, GpuGroup
=== a.py
from sdk import Endpoint
@Endpoint(name="reexported")
def work():
    return "reexported"
`,
    endpoints: { reexported: 'queue a.py:2' },
    answers: { reexported: 'reexported' },
  },
  {
    title: 'a re-export through __init__.py, by star and under another name',
    files: `=== sdk/__init__.py
from .inner import *
from .inner import Endpoint as Remote
=== sdk/inner.py
from toolkit_sdk import Endpoint
=== star.py
from sdk import *
@Endpoint(name="by-star")
def star():
    return "by-star"
=== named.py
from sdk import Remote
@Remote(name="by-name")
def named():
    return "by-name"
`,
    endpoints: { 'by-star': 'queue star.py:2', 'by-name': 'queue named.py:2' },
    answers: { 'by-star': 'by-star', 'by-name': 'by-name' },
    sample: true,
  },
  {
    title: 'a re-exported instance, which is one endpoint',
    files: `=== app/__init__.py
from .declared import api
=== app/declared.py
from toolkit_sdk import Endpoint
api = Endpoint(name="once")
=== routes.py
from app import api
@api.get("/a")
def a():
    return "a"
`,
    endpoints: { once: 'load-balanced app/declared.py:2' },
    answers: { 'once GET /a': 'a' },
  },
  {
    title: 'one instance across files, imported in different ways',
    files: `=== lb.py
from toolkit_sdk import Endpoint
api = Endpoint(name="shared")

@api.get("/own")
def own():
    return "own"
=== users.py
from lb import api as service
@service.post("/users")
def users():
    return "users"
=== deep/more.py
import lb
@lb.api.get("/more")
def more():
    return "more"
`,
    endpoints: { shared: 'load-balanced lb.py:2' },
    answers: { 'shared GET /own': 'own', 'shared POST /users': 'users', 'shared GET /more': 'more' },
    sample: true,
  },
  {
    title: 'relative imports within a package',
    files: `=== service/__init__.py
=== service/names.py
NAME = "relative"
=== service/deep/__init__.py
=== service/deep/work.py
from toolkit_sdk import Endpoint
from ..names import NAME
from . import answers
@Endpoint(name=NAME)
def work():
    return answers.ANSWER
=== service/deep/answers.py
ANSWER = 42
`,
    endpoints: { relative: 'queue service/deep/work.py:4' },
    answers: { relative: 42 },
    sample: true,
  },
  {
    title: 'imports for type checkers only',
    files: `=== a.py
from __future__ import annotations
from typing import TYPE_CHECKING
from toolkit_sdk import Endpoint
if TYPE_CHECKING:
    import pandas as pd
@Endpoint(name="typed")
def work(table: pd.DataFrame | None = None) -> str:
    return "typed"
`,
    endpoints: { typed: 'queue a.py:6' },
    answers: { typed: 'typed' },
  },
  {
    title: 'an optional import around the declaration',
    files: `=== a.py
try:
    from toolkit_sdk import Endpoint
except ImportError:
    raise
@Endpoint(name="optional")
def work():
    return "optional"
`,
    endpoints: { optional: 'queue a.py:5' },
    answers: { optional: 'optional' },
  },
  {
    title: "another package’s Endpoint and one of the project next to the toolkit's",
    files: `=== foreign.py
class Endpoint:
    def __init__(self, **given): self.given = given
    def __call__(self, function): return function
    def get(self, path): return lambda function: function
=== other.py
from foreign import Endpoint
api = Endpoint(nonsense=1)
@api.get("nonsense")
def a(): ...
@Endpoint(workers="many")
def b(): ...
=== a.py
import toolkit_sdk, foreign
@foreign.Endpoint(name="theirs")
def theirs(): ...
@toolkit_sdk.Endpoint(name="ours")
def ours():
    return "ours"
`,
    endpoints: { ours: 'queue a.py:4' },
    answers: { ours: 'ours' },
    sample: true,
  },
  {
    title: 'the class through a class body, a tuple and a fallback',
    files: `=== a.py
try:
    from toolkit_sdk import Endpoint
except ImportError:
    Endpoint = None
class Sdk:
    Declare = Endpoint
Short, other = Endpoint, 1
@Sdk.Declare(name="by-class")
def a():
    return "class"
@Short(name="by-tuple")
def b():
    return "tuple"
`,
    endpoints: { 'by-class': 'queue a.py:8', 'by-tuple': 'queue a.py:11' },
    answers: { 'by-class': 'class', 'by-tuple': 'tuple' },
  },
  {
    title: 'a peer imported in a function body',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="caller")
async def caller():
    from b import called
    return await called(2)
=== b.py
from toolkit_sdk import Endpoint
@Endpoint(name="called")
async def called(number: int = 1):
    return number * 2
`,
    endpoints: { caller: 'queue a.py:2', called: 'queue b.py:2' },
    answers: { caller: 4, called: 2 },
  },
];
