/** Ways to write the arguments of a declaration. */
import type { Layout } from './layout.ts';

export const VALUES: Layout[] = [
  {
    title: 'no argument at all',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint()
def unnamed():
    return "unnamed"
`,
    endpoints: { unnamed: 'queue a.py:2' },
    answers: { unnamed: 'unnamed' },
  },
  {
    title: 'the name by position, and None',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint("positional", cpu="cpu3c-1-2")
def a():
    return "a"
@Endpoint(None, workers=1)
def second():
    return "second"
`,
    endpoints: { positional: 'queue a.py:2', second: 'queue a.py:5' },
    answers: { positional: 'a', second: 'second' },
  },
  {
    title: 'a name and workers from another module, in a chain of constants',
    files: `=== settings/__init__.py
from .base import PREFIX
NAME = PREFIX + "-" + "chain"
=== settings/base.py
PREFIX = "constant"
WORKERS = (0, 1)
=== a.py
from settings import NAME
from settings.base import WORKERS as W
from toolkit_sdk import Endpoint
@Endpoint(name=NAME, workers=W)
def work():
    return NAME
`,
    endpoints: { 'constant-chain': 'queue a.py:4' },
    answers: { 'constant-chain': 'constant-chain' },
    sample: true,
  },
  {
    title: 'f-strings, adjacent literals, raw strings and escapes',
    files: String.raw`=== a.py
from toolkit_sdk import Endpoint
VERSION = 2
@Endpoint(name=f"folded-v{VERSION}")
def a():
    return "f"
@Endpoint(name="adja" 'cent')
def b():
    return "adjacent"
@Endpoint(name=r"raw" + "\x2desc\u0061pe")
def c():
    return "raw"
`,
    endpoints: { 'folded-v2': 'queue a.py:3', adjacent: 'queue a.py:6', 'raw-escape': 'queue a.py:9' },
    answers: { 'folded-v2': 'f', adjacent: 'adjacent', 'raw-escape': 'raw' },
  },
  {
    title: 'shared arguments in a dict',
    files: `=== a.py
from toolkit_sdk import Endpoint, GpuGroup
COMMON = dict = {"gpu": GpuGroup.ANY, "workers": (0, 1), "env": {"MODE": "fast"}}
@Endpoint(name="spread", **COMMON)
def a():
    import os
    return os.environ["MODE"]
@Endpoint(**{**COMMON, "name": "spread-twice", "workers": 2})
def b():
    return 2
`,
    endpoints: { spread: 'queue a.py:3', 'spread-twice': 'queue a.py:7' },
    answers: { spread: 'fast', 'spread-twice': 2 },
  },
  {
    title: 'lists and tuples, with elements of other lists',
    files: `=== a.py
from toolkit_sdk import Endpoint
BASE = ("idna==3.10",)
@Endpoint(name="listed", workers=[0, 1], dependencies=[*BASE] + ["certifi"])
def work():
    import certifi, idna
    return idna.__version__
`,
    endpoints: { listed: 'queue a.py:3' },
    answers: { listed: '3.10' },
  },
  {
    title: 'arguments over several lines with comments that contain keywords of the toolkit',
    files: `=== a.py
# Endpoint(name="commented") is no declaration, and neither is @Endpoint(name="so").
from toolkit_sdk import Endpoint
"""
@Endpoint(name="in-a-text")
def text(): ...
"""
@Endpoint(
    name="lines",  # Endpoint(
    workers=(  # (5, 1)
        0,
        1,
    ),
)
# a comment between
def work():
    return '@Endpoint(name="quoted")'
`,
    endpoints: { lines: 'queue a.py:7' },
    answers: { lines: '@Endpoint(name="quoted")' },
  },
  {
    title: 'values of env from the environment',
    files: `=== a.py
import os
from toolkit_sdk import Endpoint
@Endpoint(name="env", env={"A": "1", "B": os.environ.get("LAYOUT_B", "2"), "C": os.getenv("LAYOUT_C", default="3")})
def work():
    return [os.environ[name] for name in "ABC"]
`,
    endpoints: { env: 'queue a.py:3' },
    answers: { env: ['1', '2', '3'] },
  },
  {
    title: 'enumeration members in every form',
    files: `=== a.py
import toolkit_sdk
from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup, GpuType
@Endpoint(name="member", gpu=GpuGroup["ANY"])
def a():
    return "a"
@Endpoint(name="cpu-member", cpu=CpuInstanceType.CPU3C_1_2)
def b():
    return "b"
@Endpoint(name="dotted", gpu=toolkit_sdk.GpuGroup.ANY)
def c():
    return "c"
`,
    endpoints: { member: 'queue a.py:3', 'cpu-member': 'queue a.py:6', dotted: 'queue a.py:9' },
    answers: { member: 'a', 'cpu-member': 'b', dotted: 'c' },
  },
  {
    title: 'arithmetic, formatting, constructed dicts and members of an enumeration',
    files: `=== a.py
import enum
from toolkit_sdk import Endpoint
class Names(enum.Enum):
    API = "made"
BASE = dict(idle_timeout=5 * 60, execution_timeout=3600 * 6)
api = Endpoint(**BASE | {"name": Names.API.value}, workers=(0, len("ab")))
@api.get("/v%d" % (3 - 1) + "/{}".format("x"))
def x():
    return "x"
`,
    endpoints: { made: 'load-balanced a.py:6' },
    answers: { 'made GET /v2/x': 'x' },
  },
  {
    title: 'every route verb, and paths with parameters and constants',
    files: `=== a.py
from toolkit_sdk import Endpoint
BASE = "/v1"
api = Endpoint(name="verbs")
@api.get(f"{BASE}/items/{{id}}")
def read(id: int):
    return id
@api.post(path="/items")
@api.put("/items")
@api.patch("/items")
@api.delete("/items")
def write():
    return "written"
`,
    endpoints: { verbs: 'load-balanced a.py:3' },
    answers: {
      'verbs GET /v1/items/7': 7,
      'verbs POST /items': 'written',
      'verbs PUT /items': 'written',
      'verbs PATCH /items': 'written',
      'verbs DELETE /items': 'written',
    },
  },
];
