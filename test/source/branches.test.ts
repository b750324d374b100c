/**
 * Declarations and values in branches of which only one runs: decided for a worker where possible, otherwise
 * one endpoint.
 */
import { describe, it } from 'node:test';
import { check } from './checkProject.ts';

/** Title, project, and what each declaration becomes. */
const CASES: [title: string, fixture: string, endpoints: string[]][] = [
  [
    'the system is decided: workers run on Linux',
    `=== a.py
import os, sys
from toolkit_sdk import Endpoint, GpuGroup
if sys.platform == "win32":
    @Endpoint(name="a", cpu="cpu5c-4-8", workers=100)
    def windows(): ...
else:
    @Endpoint(name="a", gpu=GpuGroup.ADA_24)
    def a(): ...
if not sys.platform.startswith(("win", "darwin")) and os.name == 'posix':
    WORKERS = 2
else:
    WORKERS = 1
@Endpoint(name="b", workers=WORKERS)
def b(): ...
if sys.platform in ["win32", "cygwin"]:
    import winreg
    @Endpoint(name="c")
    def c(): ...
api = Endpoint(name="api")
if sys.platform.startswith(os.environ["SYSTEM"]):
    @Endpoint(name="d")
    def d(): ...
if sys.platform != "linux":
    @api.get("/a")
    def other(): ...
else:
    @api.post("/a")
    def post(): ...
`,
    [
      'queue | a | a.py:4 | cpu5c-4-8 | 0-100 | a:windows:5 | alternative',
      'queue | a | a.py:7 | ADA_24 | 0-3 | a:a:8',
      'queue | b | a.py:13 | ANY | 0-2 | a:b:14',
      'queue | c | a.py:17 | ANY | 0-3 | a:c:18 | alternative',
      'load-balanced | api | a.py:19 | ANY | 0-3 | POST /a a:post:27',
      'queue | d | a.py:21 | ANY | 0-3 | a:d:22',
    ],
  ],
  [
    'conditions on literals, and on names that are bound to one, are decided',
    `=== a.py
from toolkit_sdk import Endpoint
ENABLE_GPU = False
DEBUG: bool = 1
SET = None
if ENABLE_GPU:
    @Endpoint(name="gpu")
    def gpu(): ...
elif (DEBUG):
    @Endpoint(name="cpu")
    def cpu(): ...
else:
    @Endpoint(name="none")
    def none(): ...
if 0:
    @Endpoint(name="zero")
    def zero(): ...
with open("x"):
    if not (not SET):
        @Endpoint(name="set")
        def set(): ...
WORKERS = 7
if not DEBUG:
    WORKERS = 1
@Endpoint(name="w", workers=WORKERS)
def w(): ...
=== b.py
from toolkit_sdk import Endpoint
guard = FLAG = LATE = CHANGED = SWITCHED = False
LATE = True
CHANGED |= True
def switch():
    global SWITCHED
    SWITCHED = True
switch()
if LATE:
    @Endpoint(name="late")
    def late(): ...
if CHANGED:
    @Endpoint(name="changed")
    def changed(): ...
if SWITCHED:
    @Endpoint(name="switched")
    def switched(): ...
def test(FLAG):
    if FLAG:
        @Endpoint(name="local")
         ^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
        def local(): ...
=== c.py
from toolkit_sdk import Endpoint
FLAG = False
from cfg import *
if FLAG:
    @Endpoint(name="star")
    def star(): ...
=== cfg.py
FLAG = True
=== d.py
from toolkit_sdk import Endpoint
FLAG = False
globals()["FLAG"] = True
if FLAG:
    @Endpoint(name="unseen")
    def unseen(): ...
`,
    [
      'queue | gpu | a.py:6 | ANY | 0-3 | a:gpu:7 | alternative',
      'queue | cpu | a.py:9 | ANY | 0-3 | a:cpu:10',
      'queue | none | a.py:12 | ANY | 0-3 | a:none:13 | alternative',
      'queue | zero | a.py:15 | ANY | 0-3 | a:zero:16 | alternative',
      'queue | set | a.py:19 | ANY | 0-3 | a:set:20 | alternative',
      'queue | w | a.py:24 | ANY | 0-7 | a:w:25',
      'queue | late | b.py:10 | ANY | 0-3 | b:late:11',
      'queue | changed | b.py:13 | ANY | 0-3 | b:changed:14',
      'queue | switched | b.py:16 | ANY | 0-3 | b:switched:17',
      'queue | star | c.py:5 | ANY | 0-3 | c:star:6',
      'queue | unseen | d.py:5 | ANY | 0-3 | d:unseen:6',
    ],
  ],
  [
    'opposite conditions on one name exclude each other, unless something changes it between them',
    `=== a.py
import os
from toolkit_sdk import Endpoint
from cfg import FAST
DEBUG = os.getenv("DEBUG") == "1"
try:
    import fancy
    HAS_FANCY = True
except ImportError:
    HAS_FANCY = False
api = Endpoint(name="api")
if DEBUG:
    @api.get("/info")
    def info(): ...
if not DEBUG:
    @api.get("/info")
    def info(): ...
if FAST:
    @Endpoint(name="a")
    def a(): ...
if (not FAST):
    @Endpoint(name="a")
    def a(): ...
if api is None:
    pass
elif (  # A comment.
    HAS_FANCY
):
    @Endpoint(name="b")
    def b(): ...
if not HAS_FANCY:
    @Endpoint(name="b")
    def b(): ...
=== c.py
from toolkit_sdk import Endpoint
from cfg import FAST
if FAST:
    @Endpoint(name="c")
                   ^^^ error: duplicate-queue-name
    def c(): ...
    FAST = False
if not FAST:
    @Endpoint(name="c")
                   ^^^ error: duplicate-queue-name
    def d(): ...
=== cfg.py
FAST = bool(input())
`,
    [
      'load-balanced | api | a.py:10 | ANY | 0-3 | GET /info a:info:12',
      'queue | a | a.py:18 | ANY | 0-3 | a:a:19',
      'queue | a | a.py:21 | ANY | 0-3 | a:a:22 | alternative',
      'queue | b | a.py:28 | ANY | 0-3 | a:b:29',
      'queue | b | a.py:31 | ANY | 0-3 | a:b:32 | alternative',
      'queue | c | c.py:4 | ANY | 0-3 | c:c:5',
      'queue | c | c.py:8 | ANY | 0-3 | c:d:9',
    ],
  ],
  [
    "versions that no worker runs are decided, and others by the project's Python version",
    `=== pyproject.toml
[tool.toolkit]
python = "3.12"
=== a.py
import sys
from toolkit_sdk import Endpoint
if sys.version_info < (3, 8) or sys.version_info[0] == 2:
    WORKERS = 1
elif (3, 13) <= sys.version_info:
    WORKERS = 2
elif sys.version_info >= (3, 12):
    WORKERS = 3
elif sys.version_info[:2] == (3, 11):
    WORKERS = 4
else:
    WORKERS = 5
@Endpoint(name="a", workers=WORKERS)
def a(): ...
if sys.version_info.minor > 12:
    @Endpoint(name="b")
    def b(): ...
else:
    @Endpoint(name="b", workers=1)
    def old_b(): ...
guard = arms = None
`,
    [
      'queue | a | a.py:13 | ANY | 0-3 | a:a:14',
      'queue | b | a.py:16 | ANY | 0-3 | a:b:17 | alternative',
      'queue | b | a.py:19 | ANY | 0-1 | a:old_b:20',
    ],
  ],
  [
    "conditions are decided like the project's Python decides them",
    `=== pyproject.toml
[tool.toolkit]
python = "3.12"
=== a.py
import platform, sys
from typing import TYPE_CHECKING
from toolkit_sdk import Endpoint
if sys.version_info >= (3, 11) and sys.version_info < (3, 12):
    IS_0 = True
else:
    IS_0 = False
if sys.platform == "linux" and sys.version_info >= (3, 13):
    IS_1 = True
else:
    IS_1 = False
if not TYPE_CHECKING and not sys.version_info >= (3, 11):
    IS_2 = True
else:
    IS_2 = False
if sys.version_info < (3, 11) or (3, 12) <= sys.version_info < (3, 13):
    IS_3 = True
else:
    IS_3 = False
if sys.version_info >= (3, 11, 4):
    IS_4 = True
else:
    IS_4 = False
if sys.version_info[0:2] == (3, 12):
    IS_5 = True
else:
    IS_5 = False
if sys.version_info == (3, 12):
    IS_6 = True
else:
    IS_6 = False
if sys.version_info.minor in (11, 12):
    IS_7 = True
else:
    IS_7 = False
if sys.version_info[:2] not in [(3, 11), (3, 13)]:
    IS_8 = True
else:
    IS_8 = False
if sys.version_info \\
    != (3, 12):
    IS_9 = True
else:
    IS_9 = False
if sys.platform in "linux2":
    IS_10 = True
else:
    IS_10 = False
if sys.platform == ("linux",):
    IS_11 = True
else:
    IS_11 = False
if "win" not in sys.platform:
    IS_12 = True
else:
    IS_12 = False
if platform.system() == "Linux":
    IS_13 = True
else:
    IS_13 = False
if platform . system() . startswith("Win"):
    IS_14 = True
else:
    IS_14 = False
if False:
    IS_15 = True
else:
    IS_15 = False
@Endpoint(name=f"0-{IS_0}", workers=1)
def f0(): ...
@Endpoint(name=f"1-{IS_1}", workers=1)
def f1(): ...
@Endpoint(name=f"2-{IS_2}", workers=1)
def f2(): ...
@Endpoint(name=f"3-{IS_3}", workers=1)
def f3(): ...
@Endpoint(name=f"4-{IS_4}", workers=1)
def f4(): ...
@Endpoint(name=f"5-{IS_5}", workers=1)
def f5(): ...
@Endpoint(name=f"6-{IS_6}", workers=1)
def f6(): ...
@Endpoint(name=f"7-{IS_7}", workers=1)
def f7(): ...
@Endpoint(name=f"8-{IS_8}", workers=1)
def f8(): ...
@Endpoint(name=f"9-{IS_9}", workers=1)
def f9(): ...
@Endpoint(name=f"10-{IS_10}", workers=1)
def f10(): ...
@Endpoint(name=f"11-{IS_11}", workers=1)
def f11(): ...
@Endpoint(name=f"12-{IS_12}", workers=1)
def f12(): ...
@Endpoint(name=f"13-{IS_13}", workers=1)
def f13(): ...
@Endpoint(name=f"14-{IS_14}", workers=1)
def f14(): ...
@Endpoint(name=f"15-{IS_15}", workers=1)
def f15(): ...
`,
    [
      'queue | 0-False | a.py:69 | ANY | 0-1 | a:f0:70',
      'queue | 1-False | a.py:71 | ANY | 0-1 | a:f1:72',
      'queue | 2-False | a.py:73 | ANY | 0-1 | a:f2:74',
      'queue | 3-True | a.py:75 | ANY | 0-1 | a:f3:76',
      'queue | 4-True | a.py:77 | ANY | 0-1 | a:f4:78',
      'queue | 5-True | a.py:79 | ANY | 0-1 | a:f5:80',
      'queue | 6-False | a.py:81 | ANY | 0-1 | a:f6:82',
      'queue | 7-True | a.py:83 | ANY | 0-1 | a:f7:84',
      'queue | 8-True | a.py:85 | ANY | 0-1 | a:f8:86',
      'queue | 9-True | a.py:87 | ANY | 0-1 | a:f9:88',
      'queue | 10-True | a.py:89 | ANY | 0-1 | a:f10:90',
      'queue | 11-False | a.py:91 | ANY | 0-1 | a:f11:92',
      'queue | 12-True | a.py:93 | ANY | 0-1 | a:f12:94',
      'queue | 13-True | a.py:95 | ANY | 0-1 | a:f13:96',
      'queue | 14-False | a.py:97 | ANY | 0-1 | a:f14:98',
      'queue | 15-False | a.py:99 | ANY | 0-1 | a:f15:100',
    ],
  ],
  [
    'branches that only the worker decides make one endpoint, whose differing values are dynamic',
    `=== a.py
import os, sys
from toolkit_sdk import Endpoint, GpuGroup
if sys.version_info >= (3, 12):
    @Endpoint(name="same", workers=2)
    def same(): ...
else:
    @Endpoint(name="same", workers=(0, 2))
    def same(text=""): ...
if os.environ.get("SMALL"):
    @Endpoint(name="differs", cpu="cpu5c-4-8", workers=1)
                                  ^^^^^^^^^^^ hint: dynamic-value
                                  > Cannot determine the value of cpu without running the code, so this endpoint cannot be built.
                                  > Fix: Give it the same value in each branch.
    def differs(): ...
elif sys.argv:
    @Endpoint(name="differs", gpu=GpuGroup.ADA_24, workers=1)
                                  ^^^^^^^^^^^^^^^ hint: dynamic-value
    def differs(): ...
else:
    @Endpoint(name="differs", workers=1)
    def differs(): ...
if os.environ.get("SMALL"):
    @Endpoint(name="env", env={"SIZE": "small"})
                              ^^^^^^^^^^^^^^^^^ hint: dynamic-value
    def env(): ...
else:
    @Endpoint(name="env", env={"SIZE": "large"})
                              ^^^^^^^^^^^^^^^^^ hint: dynamic-value
    def env(): ...
`,
    [
      'queue | same | a.py:4 | ANY | 0-2 | a:same:5',
      'queue | same | a.py:7 | ANY | 0-2 | a:same:8 | alternative',
      'queue | differs | a.py:10 | ? | 0-1 | a:differs:11 | dynamic hardware',
      'queue | differs | a.py:13 | ? | 0-1 | a:differs:14 | dynamic hardware | alternative',
      'queue | differs | a.py:16 | ? | 0-1 | a:differs:17 | dynamic hardware | alternative',
      'queue | env | a.py:19 | ANY | 0-3 | a:env:20 | dynamic env',
      'queue | env | a.py:22 | ANY | 0-3 | a:env:23 | dynamic env | alternative',
    ],
  ],
  [
    'redeclarations in the handler of a failed import are ignored',
    `=== a.py
from toolkit_sdk import Endpoint, GpuGroup
try:
    import json
    NAME = "x"
    @Endpoint(name="a", gpu=GpuGroup.ADA_24)
    def a(): ...
    api = Endpoint(name="api", workers=1)
except ImportError:
    NAME = "y"
    @Endpoint(name="a", cpu="cpu5c-4-8")
    def slow_a(): ...
    api = Endpoint(name="api", workers=2)
@api.get("/x")
def x(): ...
@Endpoint(name=NAME)
def named(): ...
try:
    from missing_package import Endpoint as Own
except ModuleNotFoundError:
    from toolkit_sdk import Endpoint as Own
@Own(name="own")
def own(): ...
`,
    [
      'queue | a | a.py:5 | ADA_24 | 0-3 | a:a:6',
      'load-balanced | api | a.py:7 | ANY | 0-1 | GET /x a:x:13',
      'queue | a | a.py:10 | cpu5c-4-8 | 0-3 | a:slow_a:11 | alternative',
      'load-balanced | api | a.py:12 | ANY | 0-2 | alternative',
      'queue | x | a.py:15 | ANY | 0-3 | a:named:16',
      'queue | own | a.py:21 | ANY | 0-3 | a:own:22',
    ],
  ],
  [
    'an instance declared in exclusive branches has its routes once, and each branch can declare a route',
    `=== a.py
import os
from toolkit_sdk import Endpoint
if os.environ.get("SMALL"):
    api = Endpoint(name="api", workers=(0, 1))
                        ^^^^^ hint: dynamic-value
else:
    api = Endpoint(name="api", workers=1)
                        ^^^^^ hint: dynamic-value
@api.get("/x")
def x(): ...
match os.environ.get("KIND"):
    case "a":
        @api.post("/y")
        def y(): ...
    case _:
        @api.post("/y")
        def y(text: str): ...
if os.environ.get("FAST"):
    @api.put("/z")
    def fast(): ...
else:
    @api.put("/z")
    def slow(): ...
`,
    [
      'load-balanced | api | a.py:4 | ANY | 0-1 | GET /x a:x:7 | POST /y a:y:11 | PUT /z a:fast:17 | PUT /z a:slow:20 | dynamic routes',
      'load-balanced | api | a.py:6 | ANY | 0-1 | GET /x a:x:7 | POST /y a:y:11 | PUT /z a:fast:17 | PUT /z a:slow:20 | dynamic routes | alternative',
    ],
  ],
  [
    'the serving function is dynamic when each branch has another one',
    `=== a.py
import os
from toolkit_sdk import Endpoint
if os.environ.get("SMALL"):
    @Endpoint(name="a")
                   ^^^ hint: dynamic-value
                   > Cannot determine which functions serve this endpoint without running the code, so this endpoint cannot be built.
                   > Fix: Give the functions the same names in each branch.
    def small(): ...
else:
    @Endpoint(name="a")
                   ^^^ hint: dynamic-value
    def big(): ...
`,
    [
      'queue | a | a.py:4 | ANY | 0-3 | a:small:5 | dynamic functions',
      'queue | a | a.py:7 | ANY | 0-3 | a:big:8 | dynamic functions | alternative',
    ],
  ],
  [
    'the name of an instance is dynamic when each branch gives it another one',
    `=== a.py
import os
from toolkit_sdk import Endpoint
if os.environ.get("DEBUG"):
    api = Endpoint(name="api-debug")
                        ^^^^^^^^^^^ hint: dynamic-value
else:
    api = Endpoint(name="api")
                        ^^^^^ hint: dynamic-value
@api.get("/x")
def x(): ...
`,
    [
      'load-balanced | ? | a.py:4 | ANY | 0-3 | GET /x a:x:7 | dynamic name',
      'load-balanced | ? | a.py:6 | ANY | 0-3 | GET /x a:x:7 | dynamic name | alternative',
    ],
  ],
  [
    "one variable is one endpoint, whose values differ where the variable's meaning does",
    `=== a.py
import os
from toolkit_sdk import Endpoint, GpuGroup
try:
    import json
    jobs = Endpoint(name="jobs")
    @Endpoint(name="gpu-embed", gpu=GpuGroup.ADA_24)
    def embed(): ...
except ImportError:
    jobs = Endpoint(name="slow-jobs")
    @Endpoint(name="cpu-embed", cpu="cpu5c-4-8")
    def embed(): ...
@jobs.get("/x")
def x(): ...
if os.environ.get("PROD"):
    @Endpoint(name="predict", gpu=GpuGroup.ANY, workers=(0, 3), idle_timeout=60, dependencies=[], env={})
    def predict(): ...
    @Endpoint(name="stage-prod")
                   ^^^^^^^^^^^^ hint: dynamic-value
    def stage(): ...
else:
    @Endpoint()
    def predict(): ...
    @Endpoint(name="stage-dev")
                   ^^^^^^^^^^^ hint: dynamic-value
    def stage(): ...
`,
    [
      'load-balanced | jobs | a.py:5 | ANY | 0-3 | GET /x a:x:12',
      'queue | gpu-embed | a.py:6 | ADA_24 | 0-3 | a:embed:7',
      'load-balanced | slow-jobs | a.py:9 | ANY | 0-3 | alternative',
      'queue | cpu-embed | a.py:10 | cpu5c-4-8 | 0-3 | a:embed:11 | alternative',
      'queue | predict | a.py:15 | ANY | 0-3 | a:predict:16',
      'queue | ? | a.py:17 | ANY | 0-3 | a:stage:18 | dynamic name',
      'queue | predict | a.py:20 | ANY | 0-3 | a:predict:21 | alternative',
      'queue | ? | a.py:22 | ANY | 0-3 | a:stage:23 | dynamic name | alternative',
    ],
  ],
  [
    'a faulty route of an instance in two branches is reported once',
    `=== a.py
import os
from toolkit_sdk import Endpoint
if os.environ.get("SMALL"):
    api = Endpoint(name="api")
else:
    api = Endpoint(name="api")
@api.get("x")
         ^^^ error: invalid-path
def x(): ...
@api.get("/y")
^^^^^^^^^^^^^^ error: unsupported-form
class Y: ...
`,
    [
      'load-balanced | api | a.py:4 | ANY | 0-3 | GET x a:x:7 | GET /y a:Y:9',
      'load-balanced | api | a.py:6 | ANY | 0-3 | GET x a:x:7 | GET /y a:Y:9 | alternative',
    ],
  ],
  [
    'a condition on the version does not rule out that an import in it fails',
    `=== pyproject.toml
[tool.toolkit]
python = "3.10"
=== a.py
import sys
from toolkit_sdk import Endpoint
try:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    @Endpoint(name="a", workers=1)
    def a(): ...
except ImportError:
    if sys.version_info < (3, 11):
        @Endpoint(name="a", workers=2)
        def a(): ...
if sys.version_info < (3, 12):
    try:
        import fast_package
    except ImportError:
        fast_package = None
`,
    ['queue | a | a.py:8 | ANY | 0-1 | a:a:9', 'queue | a | a.py:12 | ANY | 0-2 | a:a:13 | alternative'],
  ],
  [
    'a name that only other versions of Python bind is missing on a worker',
    `=== pyproject.toml
[tool.toolkit]
python = "3.12"
=== a.py
import sys
from toolkit_sdk import Endpoint
if sys.version_info >= (3, 12):
    NEW = 1
if sys.version_info < (3, 12):
    OLD = 1
if sys.version_info < (3, 11):
    BOTH = 1
elif sys.version_info >= (3, 13):
    BOTH = 2
if sys.version_info >= (3, 13):
    ALL = 1
else:
    ALL = 2
@Endpoint(name="a")
def a():
    return NEW, OLD, BOTH, ALL
                ^^^ warning: outer-name
                     ^^^^ warning: outer-name
`,
    ['queue | a | a.py:15 | ANY | 0-3 | a:a:16'],
  ],
  [
    'a module ends at a condition that is true on every worker and ends it',
    `=== a.py
import sys
from toolkit_sdk import Endpoint
if sys.platform == "win32":
    raise SystemExit("not on Windows")
if sys.version_info < (3, 12):
    sys.exit()
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
def a(): ...
if sys.platform == "linux":
    if sys.version_info >= (3, 8):
        sys.exit("not on Linux")
@Endpoint(name="b")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
def b(): ...
`,
    ['queue | a | a.py:7 | ANY | 0-3 | a:a:8', 'queue | b | a.py:12 | ANY | 0-3 | a:b:13'],
  ],
  [
    'only the methods that a class has on a worker count',
    `=== a.py
import sys
from toolkit_sdk import Endpoint
@Endpoint(name="a")
class A:
    if sys.platform == "linux":
        def run(self, text): ...
    else:
        def stop(self): ...
        def run(self, text, more): ...
`,
    ['queue | a | a.py:3 | ANY | 0-3 | a:A.run:6'],
  ],
  [
    'with three instances, two of them in one branch, the instance of a route is unknown',
    `=== a.py
import os
from toolkit_sdk import Endpoint
if os.environ.get("A"):
    api = Endpoint(name="one")
                        ^^^^^ hint: dynamic-value
else:
    api = Endpoint(name="two")
                        ^^^^^ hint: dynamic-value
    api = Endpoint(name="three")
@api.get("/x")
 ^^^^^^^ error: unsupported-form
def x(): ...
`,
    [
      'load-balanced | ? | a.py:4 | ANY | 0-3 | GET /x a:x:8 | dynamic name',
      'load-balanced | ? | a.py:6 | ANY | 0-3 | GET /x a:x:8 | dynamic name | alternative',
      'load-balanced | three | a.py:7 | ANY | 0-3 | GET /x a:x:8',
    ],
  ],
  [
    'two endpoints that can both exist are not exclusive',
    `=== a.py
import os
from toolkit_sdk import Endpoint
if os.environ.get("A"):
    @Endpoint(name="a")
                   ^^^ error: duplicate-queue-name
    def one(): ...
if os.environ.get("B"):
    @Endpoint(name="a")
                   ^^^ error: duplicate-queue-name
    def two(): ...
`,
    ['queue | a | a.py:4 | ANY | 0-3 | a:one:5', 'queue | a | a.py:7 | ANY | 0-3 | a:two:8'],
  ],
  [
    'only type checkers read code under TYPE_CHECKING, and a worker reads the rest',
    `=== a.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from other import Endpoint
    WORKERS = 1
else:
    from toolkit_sdk import Endpoint
    WORKERS = 2
@Endpoint(name="a", workers=WORKERS)
def a(): ...
`,
    ['queue | a | a.py:8 | ANY | 0-2 | a:a:9'],
  ],
  [
    'a name that a condition can rebind after a star import has no single value',
    `=== settings.py
WORKERS = 1
=== a.py
import os
from toolkit_sdk import Endpoint
from settings import *
if os.environ.get("BIG"):
    WORKERS = 3
@Endpoint(name="a", workers=WORKERS)
                            ^^^^^^^ hint: dynamic-value
def a(): ...
`,
    ['queue | a | a.py:6 | ANY | ? | a:a:7 | dynamic workers'],
  ],
  [
    "a builtin keeps its meaning after a star import of the project's own module, and may lose it after any other",
    `=== settings.py
from limits import *
BIG = 2
=== limits.py
from settings import *
SMALL = 1
=== a.py
from toolkit_sdk import Endpoint
from settings import *
@Endpoint(name="a", workers=max(SMALL, BIG))
def a(): ...
=== b.py
from settings import *
from somewhere import *
     ^^^^^^^^^ warning: top-level-import
from toolkit_sdk import Endpoint
@Endpoint(name="b", workers=max(1, 2))
                            ^^^^^^^^^ hint: dynamic-value
def b(): ...
`,
    ['queue | a | a.py:3 | ANY | 0-2 | a:a:4', 'queue | b | b.py:4 | ANY | ? | b:b:5 | dynamic workers'],
  ],
  [
    'a route that a failed import declares again counts once, and one of another shape counts too',
    `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint(name="api")
try:
    import fast_package
    @api.get("/same/{one}")
    def fast(one: str): ...
except ImportError:
    @api.get("/same/{other}")
    def slow(other: str): ...
    @api.get("/more")
    def more(): ...
`,
    ['load-balanced | api | a.py:2 | ANY | 0-3 | GET /same/{one} a:fast:5 | GET /more a:more:10'],
  ],
];

describe('exclusive branches', () => {
  for (const [title, fixture, endpoints] of CASES) {
    it(title, async () => {
      await check(fixture, { endpoints });
    });
  }
});
