import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { check } from './checkProject.ts';

/** Title, project, and what each declaration becomes. */
const CASES: [title: string, fixture: string, endpoints: string[]][] = [
  [
    'uses the function name of a queue-based endpoint without a name, and the defaults',
    `=== a.py
from toolkit_sdk import Endpoint

@Endpoint()
def process(text: str): ...
`,
    ['queue | process | a.py:3 | ANY | 0-3 | a:process:4'],
  ],
  [
    'reads the name by position and workers=n as (0, n)',
    `=== a.py
from toolkit_sdk import Endpoint, GpuGroup
@Endpoint("first", gpu=GpuGroup.ADA_24, workers=2)
async def process(): ...
`,
    ['queue | first | a.py:2 | ADA_24 | 0-2 | a:process:3'],
  ],
  [
    'follows Endpoint under another name',
    `=== a.py
from toolkit_sdk import Endpoint as E
@E(name="one", cpu="cpu5c-4-8")
def process(): ...
`,
    ['queue | one | a.py:2 | cpu5c-4-8 | 0-3 | a:process:3'],
  ],
  [
    'follows the imported package, also under another name and through its submodules',
    `=== a.py
import toolkit_sdk
import toolkit_sdk as t
import toolkit_sdk.endpoint
@toolkit_sdk.Endpoint(name="one", gpu=t.GpuType.NVIDIA_L4)
def one(): ...
@t.Endpoint(name="two", cpu=t.CpuInstanceType.CPU5C_4_8)
def two(): ...
@toolkit_sdk.endpoint.Endpoint(name="three", cpu=t.CpuInstanceType.CPU5C_4_8.value)
def three(): ...
`,
    [
      'queue | one | a.py:4 | NVIDIA_L4 | 0-3 | a:one:5',
      'queue | two | a.py:6 | cpu5c-4-8 | 0-3 | a:two:7',
      'queue | three | a.py:8 | cpu5c-4-8 | 0-3 | a:three:9',
    ],
  ],
  [
    'follows re-exports by project modules, in chains, by star and under other names',
    `=== sdk/__init__.py
from .inner import *
from .inner import Endpoint as E
=== sdk/inner.py
from toolkit_sdk import Endpoint, GpuGroup
=== chain.py
from sdk import E as Chained
=== a.py
from sdk import Endpoint
@Endpoint(name="one")
def one(): ...
=== b.py
from chain import Chained
@Chained(name="two")
def two(): ...
=== c.py
import sdk
@sdk.E(name="three", gpu=sdk.GpuGroup.ANY)
def three(): ...
=== d.py
from sdk import *
@E(name="four")
def four(): ...
`,
    [
      'queue | one | a.py:2 | ANY | 0-3 | a:one:3',
      'queue | two | b.py:2 | ANY | 0-3 | b:two:3',
      'queue | three | c.py:2 | ANY | 0-3 | c:three:3',
      'queue | four | d.py:2 | ANY | 0-3 | d:four:3',
    ],
  ],
  [
    'finds a function that an instance decorates, in files that name neither toolkit_sdk nor Endpoint',
    `=== inst.py
from toolkit_sdk import Endpoint
gpu = Endpoint(name="one")
lone = Endpoint(name="two")
third = Endpoint(name="three")
class Held:
    task = Endpoint(name="four")
=== sdk.py
from toolkit_sdk import Endpoint
Worker = Endpoint
=== a.py
from inst import gpu
@gpu  # on a GPU
def one(): ...
=== b.py
import inst
import inst as i
@inst.lone
def two(): ...
@i.Held.task
def four(): ...
=== c.py
from inst import third as t
@ t
def three(): ...
=== d.py
from sdk import Worker
deco = Worker(name="five")
@deco
def five(): ...
=== e.py
import functools
@functools.cache
def gpu(): ...
@property
def lone(): ...
`,
    [
      'queue | five | d.py:2 | ANY | 0-3 | d:five:4',
      'queue | one | inst.py:2 | ANY | 0-3 | a:one:3',
      'queue | two | inst.py:3 | ANY | 0-3 | b:two:4',
      'queue | three | inst.py:4 | ANY | 0-3 | c:three:3',
      'queue | four | inst.py:6 | ANY | 0-3 | b:four:6',
    ],
  ],
  [
    'ignores the Endpoint of another package or class',
    `=== a.py
from other import Endpoint
@Endpoint(name=1)
def one(): ...
=== b.py
import toolkit_sdk
class Endpoint:
    def __init__(self, **given): ...
@Endpoint(nonsense=1)
def two(): ...
=== c.py
from b import Endpoint
api = Endpoint()
@api.get("nonsense")
def three(): ...
`,
    [],
  ],
  [
    'collects the routes of one instance across files and verbs, annotated or not',
    `=== lb.py
from toolkit_sdk import Endpoint
api: Endpoint = Endpoint(name="api", cpu="cpu3c-1-2", workers=(1, 2))

@api.get("/health")
def health(): ...
=== routes/users.py
from lb import api
@api.post("/users")
@api.put("/users/{name}")
def save(name: str = ""): ...
=== routes/more.py
import lb
from lb import api as service
@lb.api.patch("/more")
def change(): ...
@service.delete("/more")
def remove(): ...
`,
    [
      'load-balanced | api | lb.py:2 | cpu3c-1-2 | 1-2 | GET /health lb:health:4' +
        ' | PATCH /more routes.more:change:3 | DELETE /more routes.more:remove:5' +
        ' | POST /users routes.users:save:2 | PUT /users/{name} routes.users:save:3',
    ],
  ],
  [
    'keeps several instances in one file separate',
    `=== a.py
from toolkit_sdk import Endpoint
one, two = Endpoint(name="one"), Endpoint(name="two")
three = also = Endpoint(name="three")
@one.get("/a")
def a(): ...
@two.get("/a")
def b(): ...
@also.get("/a")
def c(): ...
`,
    [
      'load-balanced | one | a.py:2 | ANY | 0-3 | GET /a a:a:4',
      'load-balanced | two | a.py:2 | ANY | 0-3 | GET /a a:b:6',
      'load-balanced | three | a.py:3 | ANY | 0-3 | GET /a a:c:8',
    ],
  ],
  [
    'finds instances and functions in if, try, with and class blocks and in __init__.py',
    `=== app/__init__.py
import os
from toolkit_sdk import Endpoint
if os.name == "posix":
    one = Endpoint(name="one")
try:
    two = Endpoint(name="two")
except Exception:
    two = None
class Services:
    three = Endpoint(name="three")
with open(os.devnull):
    @Endpoint(name="four")
    def four(): ...
@Services.three.get("/three")
def route(): ...
=== b.py
from app import one, two
@one.get("/one")
def a(): ...
@two.get("/two")
def b(): ...
`,
    [
      'load-balanced | one | app/__init__.py:4 | ANY | 0-3 | GET /one b:a:2',
      'load-balanced | two | app/__init__.py:6 | ANY | 0-3 | GET /two b:b:4',
      'load-balanced | three | app/__init__.py:10 | ANY | 0-3 | GET /three app:route:14',
      'queue | four | app/__init__.py:12 | ANY | 0-3 | app:four:13',
    ],
  ],
  [
    'reads decorators over several lines next to others, and a star import of the package',
    `=== a.py
import functools
from toolkit_sdk import *
@functools.cache
@Endpoint(
    name="a",  # its name
    workers=(
        0,
        1,
    ),
)
@functools.wraps(print)
async def process(): ...
`,
    ['queue | a | a.py:4 | ANY | 0-1 | a:process:12'],
  ],
  [
    'serves functions of the same name in two files',
    `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="a")
def process(): ...
=== b.py
from toolkit_sdk import Endpoint
@Endpoint(name="b")
def process(): ...
`,
    ['queue | a | a.py:2 | ANY | 0-3 | a:process:3', 'queue | b | b.py:2 | ANY | 0-3 | b:process:3'],
  ],
  [
    'reads an instance that decorates a function as a queue-based endpoint',
    `=== a.py
from toolkit_sdk import Endpoint
queue = Endpoint(name="a")
@queue
def process(): ...
`,
    ['queue | a | a.py:2 | ANY | 0-3 | a:process:4'],
  ],
  [
    'serves the only public method of a class under the class’s name, dotted when nested',
    `=== a.py
from toolkit_sdk import Endpoint
class Outer:
    class Middle:
        @Endpoint()
        class Inner:
            async def run(self, text: str): ...
queue = Endpoint(name="by-instance")
@queue
class Other:
    def run(self): ...
`,
    [
      'queue | Inner | a.py:4 | ANY | 0-3 | a:Outer.Middle.Inner.run:6',
      'queue | by-instance | a.py:7 | ANY | 0-3 | a:Other.run:10',
    ],
  ],
  [
    'folds constants, f-strings, tuples, sums, items and keyword dicts, also of other modules',
    `=== config.py
from settings.base import PREFIX
NAME = f"{PREFIX}-api"
WORKERS = [(0, 1), (1, 2)]
COMMON = {"workers": WORKERS[1], "cpu": "cpu5c-" "4-8"}
=== settings/base.py
PREFIX = "my" + "-" + f"{1}"
=== a.py
from toolkit_sdk import Endpoint
import config
from config import NAME, COMMON as SHARED
api = Endpoint(name=config.NAME, **SHARED)
@Endpoint(name=f"{NAME}-queue", **{**SHARED, "workers": 4})
def process(): ...
@api.get("/v" + chr(1))
         ^^^^^^^^^^^^^ hint: dynamic-value
def dynamic(): ...
@api.get(f"/{NAME}")
def folded(): ...
`,
    [
      'load-balanced | my-1-api | a.py:4 | cpu5c-4-8 | 1-2 | GET /my-1-api a:folded:9 | dynamic routes',
      'queue | my-1-api-queue | a.py:5 | cpu5c-4-8 | 0-4 | a:process:6',
    ],
  ],
  [
    'folds arithmetic, formatting, constructed dicts, members of enumerations and Final names',
    `=== a.py
import enum
from typing import Final
from toolkit_sdk import Endpoint
class Names(str, enum.Enum):
    API = "api"
class Size(enum.Enum):
    BIG = (1, 4)
MINUTES: Final = 60
BASE = dict(cpu="cpu5c-4-8", idle_timeout=5 * MINUTES)
@Endpoint(name="v-%d" % 2, execution_timeout=3600 * 6, **BASE)
def a(): ...
@Endpoint(**BASE | {"name": "b-{}-{:02d}".format("x", 7)}, workers=Size.BIG.value)
def b(): ...
@Endpoint(**{**BASE, "name": Names.API}, workers=(0, max(1, 7 // 2)))
def c(): ...
@Endpoint(name=f"{Names['API'].value!s:>5}".format(), workers=len(["a"]) + int("1"))
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-name
def d(): ...
@Endpoint(name=Size.BIG)
               ^^^^^^^^ hint: dynamic-value
def e(): ...
class Count(enum.IntEnum):
    MANY = 4
@Endpoint(name="f", workers=Count.MANY)
def f(): ...
class Few(int, enum.Enum):
    TWO = 2
@Endpoint(name="g", workers=Few.TWO)
def g(): ...
`,
    [
      'queue | v-2 | a.py:10 | cpu5c-4-8 | 0-3 | a:a:11',
      'queue | b-x-07 | a.py:12 | cpu5c-4-8 | 1-4 | a:b:13',
      'queue | api | a.py:14 | cpu5c-4-8 | 0-3 | a:c:15',
      'queue |   api | a.py:16 | ANY | 0-2 | a:d:17',
      'queue | ? | a.py:18 | ANY | 0-3 | a:e:19 | dynamic name',
      'queue | f | a.py:22 | ANY | 0-4 | a:f:23',
      'queue | g | a.py:26 | ANY | 0-2 | a:g:27',
    ],
  ],
  [
    'treats a name that is imported twice or in two ways as one',
    `=== settings.py
SIZE = 2
from toolkit_sdk import Endpoint
api = Endpoint(name="api")
=== constants.py
from settings import *
=== pkg/__init__.py
from constants import *
from settings import SIZE, Endpoint, api
=== a.py
from settings import *
from constants import *
from settings import SIZE, Endpoint, api
from pkg import SIZE, Endpoint, api
@Endpoint(name="a", workers=SIZE)
def a(): ...
@api.get("/b")
def b(): ...
`,
    [
      'queue | a | a.py:5 | ANY | 0-2 | a:a:6',
      'load-balanced | api | settings.py:3 | ANY | 0-3 | GET /b a:b:7',
    ],
  ],
  [
    'binds a name to the later of a star import and another statement',
    `=== one.py
SIZE = 1
=== two.py
SIZE = 2
=== a.py
from toolkit_sdk import Endpoint
SIZE = 7
from one import *
from two import *
@Endpoint(name="a", workers=SIZE)
def a(): ...
=== b.py
from toolkit_sdk import Endpoint
from two import SIZE
from one import *
@Endpoint(name="b", workers=SIZE)
def b(): ...
=== c.py
from toolkit_sdk import Endpoint
from one import *
from two import SIZE
@Endpoint(name="c", workers=SIZE)
def c(): ...
=== d.py
from toolkit_sdk import Endpoint
try:
    from one import *
except ImportError:
    from two import *
@Endpoint(name="d", workers=SIZE)
def d(): ...
`,
    [
      'queue | a | a.py:5 | ANY | 0-2 | a:a:6',
      'queue | b | b.py:4 | ANY | 0-1 | b:b:5',
      'queue | c | c.py:4 | ANY | 0-2 | c:c:5',
      'queue | d | d.py:6 | ANY | 0-1 | d:d:7',
    ],
  ],
  [
    'imports the names in __all__ by a star import',
    `=== cfg.py
NAME = "right"
=== e.py
__all__ = ["helper"]
__all__ += ("_priv",)
NAME = "other"
Endpoint = 3
def helper(): ...
from toolkit_sdk import Endpoint as E
_priv = E(name="private")
=== open.py
__all__ = ["_hidden"]
__all__.append("shown")
shown, _hidden = "shown", "hidden"
=== late.py
__all__ = ["NAME"]
__all__: list[str] = ["helper"] + ["_priv"]
NAME = "late"
=== w.py
from toolkit_sdk import Endpoint
from cfg import *
from e import *
from late import *
from open import *
@Endpoint(name=NAME)
def w(): ...
@_priv.get("/x")
def x(): ...
@Endpoint(name=shown)
def y(): ...
`,
    [
      'load-balanced | private | e.py:7 | ANY | 0-3 | GET /x w:x:8',
      'queue | right | w.py:6 | ANY | 0-3 | w:w:7',
      'queue | shown | w.py:10 | ANY | 0-3 | w:y:11',
    ],
  ],
  [
    'follows a class attribute with the name and value of a module variable',
    `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint(name="api")
size = 2
class Container:
    api = api
    size = size
@Container.api.get("/x")
def x(): ...
@Endpoint(name="y", workers=Container.size)
def y(): ...
`,
    ['load-balanced | api | a.py:2 | ANY | 0-3 | GET /x a:x:7', 'queue | y | a.py:9 | ANY | 0-2 | a:y:10'],
  ],
  [
    'treats a list or dict as dynamic if a function changes it, or if it is changed through another name',
    `=== a.py
from toolkit_sdk import Endpoint
DEPS = ["a"]
ENV = dict(A="1")
OPTS = {"workers": 1}
LIST = ["x"]
ALIAS = LIST
OTHER = ALIAS
SAFE = ["s"]
COPY = SAFE
COPY = list(COPY)
COPY.append("t")
OTHER.append("y")
def add():
    DEPS.append("b")
    for key in ENV: ENV[key] = "2"
    def local(SAFE):
        SAFE.append("c")
    SAFE = []
    SAFE.append("d")
add()
class Setting:
    OPTS["workers"] = 2
@Endpoint(name="a", dependencies=DEPS)
                                 ^^^^ hint: dynamic-value
def a(): ...
@Endpoint(name="b", env=ENV)
                        ^^^ hint: dynamic-value
def b(): ...
@Endpoint(name="c", workers=OPTS["workers"])
                            ^^^^^^^^^^^^^^^ hint: dynamic-value
def c(): ...
@Endpoint(name="d", dependencies=LIST)
                                 ^^^^ hint: dynamic-value
def d(): ...
@Endpoint(name="e", dependencies=SAFE)
def e(): ...
`,
    [
      'queue | a | a.py:23 | ANY | 0-3 | a:a:24 | dynamic dependencies',
      'queue | b | a.py:25 | ANY | 0-3 | a:b:26 | dynamic env',
      'queue | c | a.py:27 | ANY | ? | a:c:28 | dynamic workers',
      'queue | d | a.py:29 | ANY | 0-3 | a:d:30 | dynamic dependencies',
      'queue | e | a.py:31 | ANY | 0-3 | a:e:32',
    ],
  ],
  [
    'reads parenthesized and starred assignments, and names as Python normalizes them',
    `=== a.py
from toolkit_sdk import Endpoint
(api) = Endpoint(name="one")
*_, other = 1, 2, Endpoint(name="two")
first, *rest, (last, size) = Endpoint(name="three"), 1, 2, (Endpoint(name="four"), 4)
@(api).get("/a")
def a(): ...
@(other.get)("/b")
def b(): ...
@first.get("/c")
@last.get("/d")
def c(): ...
@(Endpoint)(workers=size)
def \ufb01le(): ...
`,
    [
      'load-balanced | one | a.py:2 | ANY | 0-3 | GET /a a:a:5',
      'load-balanced | two | a.py:3 | ANY | 0-3 | GET /b a:b:7',
      'load-balanced | three | a.py:4 | ANY | 0-3 | GET /c a:c:9',
      'load-balanced | four | a.py:4 | ANY | 0-3 | GET /d a:c:10',
      'queue | file | a.py:12 | ANY | 0-4 | a:file:13',
    ],
  ],
  [
    'skips a star import that no worker runs',
    `=== pkg/__init__.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from .tools import *
=== pkg/tools.py
from typing_extensions import deprecated
=== pkg/deprecated.py
SIZE = 2
=== a.py
import pkg.deprecated
from toolkit_sdk import Endpoint
@Endpoint(name="a", workers=pkg.deprecated.SIZE)
def a(): ...
`,
    ['queue | a | a.py:3 | ANY | 0-2 | a:a:4'],
  ],
  [
    'lists no endpoint created in a function, but one named in a condition of the module',
    `=== a.py
from toolkit_sdk import Endpoint
def test_it():
    @Endpoint(name="test")
     ^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
    def inner(): ...
if (api := Endpoint(name="api")):
    @api.get("/a")
    def a(): ...
`,
    ['load-balanced | api | a.py:5 | ANY | 0-3 | GET /a a:a:6'],
  ],
  [
    'marks values known only at run time, and never guesses',
    `=== a.py
import os
from toolkit_sdk import Endpoint
WORKERS = 2
if os.name: WORKERS = 3
LIST = ["a"]
LIST.append("b")
ENV = {"A": "1"}
ENV["B"] = "2"
for name in ["x", "y"]:
    @Endpoint(name=name, workers=WORKERS, dependencies=LIST, env=ENV, idle_timeout=abs("3"))
                   ^^^^ hint: dynamic-value
                                 ^^^^^^^ hint: dynamic-value
                                                       ^^^^ hint: dynamic-value
                                                                 ^^^ hint: dynamic-value
                                                                                   ^^^^^^^^ hint: dynamic-value
    def process(): ...
@Endpoint(**vars(os))
            ^^^^^^^^ hint: dynamic-value
def other(): ...
`,
    [
      'queue | ? | a.py:10 | ANY | ? | a:process:11 | dynamic name,workers,idleTimeout,dependencies,env',
      'queue | ? | a.py:12 | ? | ? | a:other:13 | dynamic name,hardware,workers,idleTimeout,dependencies,env,image,gpuCount,executionTimeout,maxConcurrency',
    ],
  ],
  [
    'reads files whose path is not an identifier',
    `=== my-app/v1.0/work er.py
from toolkit_sdk import Endpoint
from .part import NAME
@Endpoint(name=NAME)
def process(): ...
=== my-app/v1.0/part.py
NAME = "one"
`,
    ['queue | one | my-app/v1.0/work er.py:3 | ANY | 0-3 | my-app.v1.0.work er:process:4'],
  ],
  [
    'handles names that refer to each other in a circle',
    `=== a.py
from toolkit_sdk import Endpoint
from b import E, X
Y = X
@E(name=Y)
def one(): ...
@Endpoint(name=Y)
               ^ hint: dynamic-value
def two(): ...
=== b.py
from a import E, Y as X
`,
    ['queue | ? | a.py:6 | ANY | 0-3 | a:two:7 | dynamic name'],
  ],
];

describe('declarations', () => {
  for (const [title, fixture, endpoints] of CASES)
    it(title, async () => void (await check(fixture, { endpoints })));

  it('executes nothing: exits and side effects at import have no effect', async () => {
    const { root } = await check(
      `=== a.py
import pathlib, sys
from toolkit_sdk import Endpoint
pathlib.Path(__file__).with_name("written").touch()
pathlib.Path("written").touch()
sys.exit(3)
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
def process(): ...
`,
      { endpoints: ['queue | a | a.py:6 | ANY | 0-3 | a:process:7'] },
    );
    assert.deepEqual(readdirSync(root), ['a.py']);
    assert.equal(existsSync('written'), false);
  });

  it('lists all arguments, env reads and signatures in the document', async () => {
    const { endpoints } = await check(`=== a.py
import os
from os import environ as e
from toolkit_sdk import Endpoint
@Endpoint(
    name="full",
    image="registry/image:1",
    gpu_count=2,
    execution_timeout=30.5,
    max_concurrency=4,
    idle_timeout=0,
    dependencies=("a", *["b>=1"]),
    env={"MODE": "fast", "TOKEN": os.environ["TOKEN"], "B": e.get("B"), "C": os.getenv("X", "d")},
)
async def process(a, /, b: int, c: "str | None" = None, *rest: int, d, e=[1, 2], **more):
    """

    Does the work.
    More of it.
    """
`);
    const [endpoint] = endpoints;
    assert.deepEqual(endpoint, {
      name: 'full',
      kind: 'queue',
      file: 'a.py',
      line: 4,
      hardware: { gpu: 'ANY' },
      workers: { min: 0, max: 3 },
      idleTimeout: 0,
      dependencies: ['a', 'b>=1'],
      env: { MODE: 'fast', TOKEN: null, B: null, C: null },
      envFrom: {
        TOKEN: { name: 'TOKEN', default: null },
        B: { name: 'B', default: null },
        C: { name: 'X', default: 'd' },
      },
      image: 'registry/image:1',
      gpuCount: 2,
      executionTimeout: 30.5,
      maxConcurrency: 4,
      command: null,
      functions: [
        {
          name: 'process',
          class: null,
          module: 'a',
          file: 'a.py',
          line: 14,
          async: true,
          description: 'Does the work.',
          parameters: [
            { name: 'a', annotation: null, default: null, required: true, kind: 'positional-only' },
            { name: 'b', annotation: 'int', default: null, required: true, kind: 'positional-or-keyword' },
            {
              name: 'c',
              annotation: '"str | None"',
              default: 'None',
              required: false,
              kind: 'positional-or-keyword',
            },
            { name: 'rest', annotation: 'int', default: null, required: false, kind: 'var-positional' },
            { name: 'd', annotation: null, default: null, required: true, kind: 'keyword-only' },
            { name: 'e', annotation: null, default: '[1, 2]', required: false, kind: 'keyword-only' },
            { name: 'more', annotation: null, default: null, required: false, kind: 'var-keyword' },
          ],
        },
      ],
      routes: [],
      dynamic: [],
      deployed: null,
    });
  });
});
