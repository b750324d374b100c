import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['kind'], others: ['missing-description', 'no-routes'] },
  fires: [
    [
      'a module that ends itself below its declarations',
      `=== a.py
import sys
${SDK}
from b import api
@Endpoint(name="s")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > The module ends at "sys.exit(0)" in line 8, so a worker could not import this declaration.
 > Fix: Move that statement under if __name__ == "__main__".
 > [exit] The module ends here.
def s(): ...
@api.get("/a")
^^^^^^^^^^^^^^ error: unsupported-form
> The module ends at "sys.exit(0)" in line 8, so a worker could not import a.
> Fix: Move that statement under if __name__ == "__main__".
> [exit] The module ends here.
def a(): ...
sys.exit(0)
^^^^^^^^^^^ [exit]
=== b.py
${SDK}
api = Endpoint(name="api")
`,
    ],
    [
      'a function that is defined again in the same branch',
      `=== a.py
import os
${SDK}
if os.environ.get("ALL"):
    @Endpoint(name="t")
     ^^^^^^^^^^^^^^^^^^ error: unsupported-form
     > run is defined again in line 6, so a worker would load that one.
     > Fix: Give one of them another name.
     > [run] run is defined again here.
    def run(): ...
    def run(): ...
        ^^^ [run]
`,
    ],
    [
      'declarations that no worker could load',
      `=== a.py
${SDK}
ALL = {"a": Endpoint(name="a")}
            ^^^^^^^^^^^^^^^^^^ error: unsupported-form
            > This declaration neither decorates a function nor has a name by which routes could be added.
            > Fix: Write it as a decorator, or assign it to a name of the module.
class Model:
    @Endpoint(name="method")
     ^^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
     > predict is inside the class Model, where a worker cannot import it.
     > Fix: Move the function to the top level of the module.
    def predict(self): ...
@Endpoint
 ^^^^^^^^ error: unsupported-form
 > Endpoint decorates a function only when it is called.
 > Fix: Write @Endpoint().
def bare(): ...
if __name__ == "__main__":
    @Endpoint(name="main")
     ^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
     > A worker does not run what is under if __name__ == "__main__", so it would not find this declaration.
     > Fix: Move the declaration out of that block.
    def main(): ...
`,
    ],
    [
      'routes of another kind, and on a class',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.head("/x")
 ^^^^^^^^ error: unsupported-form
 > An Endpoint has no route decorator head.
 > Fix: Use one of get, post, put, patch, delete.
def head(): ...
@api.get("/class")
^^^^^^^^^^^^^^^^^^ error: unsupported-form
> Page is a class, and a route runs a function.
> Fix: Decorate a function that makes and uses the class.
class Page:
    def show(self): ...
@api.get("/a")
def a(): ...
`,
    ],
    [
      'declarations in the middle of an expression',
      `=== a.py
${SDK}
LIST = [Endpoint(name="b")]
        ^^^^^^^^^^^^^^^^^^ error: unsupported-form
        > This declaration neither decorates a function nor has a name by which routes could be added.
        > Fix: Write it as a decorator, or assign it to a name of the module.
maybe = Endpoint(name="c") if LIST else None
        ^^^^^^^^^^^^^^^^^^ error: unsupported-form
        > This declaration neither decorates a function nor has a name by which routes could be added.
        > Fix: Write it as a decorator, or assign it to a name of the module.
@(Endpoint(name="e"))
  ^^^^^^^^^^^^^^^^^^ error: unsupported-form
  > This declaration neither decorates a function nor has a name by which routes could be added.
  > Fix: Write it as a decorator, or assign it to a name of the module.
def parenthesized(): ...
late = Endpoint(name="f")(parenthesized)
       ^^^^^^^^^^^^^^^^^^ error: unsupported-form
       > This declaration neither decorates a function nor has a name by which routes could be added.
       > Fix: Write it as a decorator, or assign it to a name of the module.
`,
    ],
    [
      'routes that decorate nothing where they stand',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
api.post("/a")(a)
^^^^^^^^^^^^^^ error: unsupported-form
> A route is read only where it decorates a function, so this one would be lost.
> Fix: Write @api.post(...) above the function that it runs.
late = api.put("/b")
       ^^^^^^^^^^^^^ error: unsupported-form
       > A route is read only where it decorates a function, so this one would be lost.
       > Fix: Write @api.put(...) above the function that it runs.
@late
def b(): ...
for path in ["/c"]:
    api.get(path)(b)
    ^^^^^^^^^^^^^ error: unsupported-form
    > A route is read only where it decorates a function, so this one would be lost.
    > Fix: Write @api.get(...) above the function that it runs.
class Client:
    def get(self, path): ...
Client().get("/d")
client = Client()
client.get("/e")
{"api": 1}.get("api")
`,
    ],
    [
      'declarations after the end of their module',
      `=== a.py
import sys
${SDK}
def stop():
    sys.exit(1)
if len(sys.argv) > 9:
    raise SystemExit(1)
@Endpoint(name="before")
 ^^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > The module ends at "raise SystemExit("never")" in line 9, so a worker could not import this declaration.
 > Fix: Move that statement under if __name__ == "__main__".
 > [exit] The module ends here.
def before(): ...
raise SystemExit("never")
^^^^^^^^^^^^^^^^^^^^^^^^^ [exit]
api = Endpoint(name="api")
      ^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
      > The module ends at "raise SystemExit("never")" in line 9, so a worker would not come to this declaration.
      > Fix: Move that statement under if __name__ == "__main__".
      > [exit] The module ends here.
@api.get("/a")
def a(): ...
`,
    ],
    [
      'a declaration over several lines',
      `=== a.py
${SDK}
if __name__ == "__main__":
    @Endpoint(
     ^^^^^^^^^ error: unsupported-form
     > A worker does not run what is under if __name__ == "__main__", so it would not find this declaration.
     > Fix: Move the declaration out of that block.
        name="main",
        workers=1,
    )
    ^ …
    def main(): ...
`,
    ],
    [
      'an instance whose module ends itself between its routes',
      `=== a.py
import sys
${SDK}
sys.path.append(".")
api = Endpoint(name="api")
      ^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
      > The module ends at "sys.exit()" in line 7, so a worker could not import this declaration.
      > Fix: Move that statement under if __name__ == "__main__".
      > [exit] The module ends here.
@api.get("/a")
def a(): ...
sys.exit()
^^^^^^^^^^ [exit]
@api.get("/b")
def b(): ...
`,
    ],
    [
      'a declaration after an exit that is imported by its name',
      `=== a.py
from sys import exit
${SDK}
exit(0)
^^^^^^^ [exit]
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > The module ends at "exit(0)" in line 3, so a worker would not come to this declaration.
 > Fix: Move that statement under if __name__ == "__main__".
 > [exit] The module ends here.
def a(): ...
`,
    ],
    [
      'names that a declaration uses before the module binds them',
      `=== a.py
import functools
${SDK}
@api.get("/x")
 ^^^^^^^ error: unsupported-form
 > api is bound only in line 7, below its use here, so a worker cannot import this module.
 > Fix: Move the statement that binds api above this one.
@cached
 ^^^^^^ error: unsupported-form
 > cached is bound only in line 6, below its use here, so a worker cannot import this module.
 > Fix: Move the statement that binds cached above this one.
def x(): ...
cached = functools.cache
api = Endpoint(name="api", env={"A": f"{NAME}-a"})
                                        ^^^^ error: unsupported-form
                                        > NAME is bound only in line 10, below its use here, so a worker cannot import this module.
                                        > Fix: Move the statement that binds NAME above this one.
@Endpoint(name=NAME, workers=max(*SIZES))
               ^^^^ error: unsupported-form
               > NAME is bound only in line 10, below its use here, so a worker cannot import this module.
               > Fix: Move the statement that binds NAME above this one.
                                  ^^^^^ error: unsupported-form
                                  > SIZES is bound only in line 11, below its use here, so a worker cannot import this module.
                                  > Fix: Move the statement that binds SIZES above this one.
def b(): ...
NAME = "late"
SIZES = (1, 2)
=== b.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from toolkit_sdk import Endpoint
@Endpoint(name="b")
 ^^^^^^^^ error: unsupported-form
 > Endpoint is bound only under if TYPE_CHECKING, which a worker does not run, so a worker cannot import this module.
 > Fix: Bind Endpoint outside of that block.
def b(): ...
=== d.py
DEBUG = False
if DEBUG:
    NAME = "d"
from toolkit_sdk import Endpoint
@Endpoint(name=NAME)
               ^^^^ error: unsupported-form
               > NAME is bound only in a branch that a worker does not take, so a worker cannot import this module.
               > Fix: Bind NAME outside of that block.
def d(): ...
=== c.py
@Endpoint(name="c")
 ^^^^^^^^ error: unsupported-form
 > Endpoint is bound only in line 3, below its use here, so a worker cannot import this module.
 > Fix: Move the statement that binds Endpoint above this one.
def c(): ...
from toolkit_sdk import Endpoint
`,
    ],
    [
      'a class whose instance needs arguments',
      `=== a.py
${SDK}
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > A cannot be made without path, and a worker makes its instance without arguments.
 > Fix: Give path a default, or find its value inside __init__.
class A:
    def __init__(self, path, size=1): ...
    def run(self): ...
@Endpoint(name="b")
class B:
    def __init__(self, path="x", *rest, size=1, **more): ...
    def run(self): ...
`,
    ],
    [
      'a function that is defined again, or whose name is given to something else',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
^^^^^^^^^^^^^^ error: unsupported-form
> handler is defined again in line 6, so a worker would load that one.
> Fix: Give one of them another name.
> [handler] handler is defined again here.
def handler(): ...
@api.get("/b")
def handler(): ...
    ^^^^^^^ [handler]
=== b.py
${SDK}
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > Line 15 gives the name a to something else, so a worker would not find this function by it.
 > Fix: Give one of them another name.
 > [a] The name a is given to something else here.
def a(): ...
@Endpoint(name="b")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > Line 16 gives the name b to something else, so a worker would not find this function by it.
 > Fix: Give one of them another name.
 > [b] The name b is given to something else here.
def b(): ...
@Endpoint(name="c")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > Line 17 gives the name c to something else, so a worker would not find this function by it.
 > Fix: Give one of them another name.
 > [c] The name c is given to something else here.
def c(): ...
@Endpoint(name="d")
def d(): ...
e = None
@Endpoint(name="e")
def e(): ...
@Endpoint(name="f")
def f(): ...
(a, x) = None, 1
 ^ [a]
from json import loads as b
                          ^ [b]
del c
    ^ [c]
d = print(d) or d
if __name__ == "__main__":
    e = 1
    def f(): ...
`,
    ],
    [
      'one of two endpoints, by a name that is assigned twice',
      `=== a.py
import sys
${SDK}
if len(sys.argv) > 1:
    api = Endpoint(name="one")
          ^^^^^^^^^^^^^^^^^^^^ [one]
if len(sys.argv) > 2:
    api = Endpoint(name="two")
          ^^^^^^^^^^^^^^^^^^^^ [two]
@api.get("/a")
 ^^^^^^^ error: unsupported-form
 > api stands for 2 endpoints (a.py:4 and a.py:6), so which of them this belongs to is known only when the code runs.
 > Fix: Assign each endpoint to a name of its own.
 > [one] api may stand for this endpoint.
 > [two] api may stand for this endpoint.
def a(): ...
`,
    ],
    [
      'what a function makes where it reaches the module',
      `=== a.py
${SDK}
def make(name):
    return Endpoint(name=name)
           ^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [api]
api = make("api")
      ^^^^^^^^^^^ error: unsupported-form
      > api gets an endpoint from the function make, and only endpoints that a module declares itself are found, so this one would be lost.
      > Fix: Move the declaration to the top level of the module.
      > [api] The endpoint is made here.
@api.get("/a")
def a(): ...
def start():
    global late
    late = Endpoint(name="late")
           ^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
           > late gets the endpoint that the function start makes, and only endpoints that a module declares itself are found, so this one would be lost.
           > Fix: Move the declaration to the top level of the module.
=== factory.py
${SDK}
class Factory:
    @staticmethod
    def named():
        @Endpoint(name="one")
         ^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [two]
        def one(): ...
        return one
=== b.py
import toolkit_sdk
from factory import Factory as F
two = F.named()
      ^^^^^^^^^ error: unsupported-form
      > two gets an endpoint from the function named, and only endpoints that a module declares itself are found, so this one would be lost.
      > Fix: Move the declaration to the top level of the module.
      > [two] The endpoint is made here.
`,
    ],
    [
      'what a function makes that is used as a decorator',
      `=== make.py
${SDK}
def direct(**settings):
    return Endpoint(cpu="cpu3c-1-2", **settings)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [direct]
def applied(function):
    return Endpoint(name=function.__name__)(function)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [applied]
def nested(**settings):
    def declare(function):
        return Endpoint(**settings)(function)
               ^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [nested]
    return declare
short = lambda name: Endpoint(name=name)
                     ^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [short]
api = Endpoint(name="api")
@api.get("/health")
def health(): ...
def versioned(path):
    return api.get("/v1" + path)
           ^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [versioned]
def added(path):
    @api.get(path)
    ^^^^^^^^^^^^^^ warning: endpoint-in-function
     ^^^^^^^^^^^^^ [added]
    def route(): ...
    return route
late = added("/late")
       ^^^^^^^^^^^^^^ error: unsupported-form
       > late gets a route from the function added, and only routes that a module declares itself are found, so this one would be lost.
       > Fix: Move the declaration to the top level of the module.
       > [added] The route is made here.
=== a.py
import toolkit_sdk
from make import applied, direct, nested, short, versioned
@direct(name="a")
 ^^^^^^^^^^^^^^^^ error: unsupported-form
 > a gets an endpoint from the function direct, and only endpoints that a module declares itself are found, so this one would be lost.
 > Fix: Move the declaration to the top level of the module.
 > [direct] The endpoint is made here.
def a(): ...
@applied
 ^^^^^^^ error: unsupported-form
 > b gets an endpoint from the function applied, and only endpoints that a module declares itself are found, so this one would be lost.
 > Fix: Move the declaration to the top level of the module.
 > [applied] The endpoint is made here.
def b(): ...
@nested(name="c")
 ^^^^^^^^^^^^^^^^ error: unsupported-form
 > c gets an endpoint from the function nested, and only endpoints that a module declares itself are found, so this one would be lost.
 > Fix: Move the declaration to the top level of the module.
 > [nested] The endpoint is made here.
class c:
    def run(self): ...
@short("d")
 ^^^^^^^^^^ error: unsupported-form
 > d gets an endpoint from the function short, and only endpoints that a module declares itself are found, so this one would be lost.
 > Fix: Move the declaration to the top level of the module.
 > [short] The endpoint is made here.
def d(): ...
@versioned("/e")
 ^^^^^^^^^^^^^^^ error: unsupported-form
 > e gets a route from the function versioned, and only routes that a module declares itself are found, so this one would be lost.
 > Fix: Move the declaration to the top level of the module.
 > [versioned] The route is made here.
def e(): ...
unused = nested(name="f")
if __name__ == "__main__":
    @direct(name="script")
    def script(): ...
`,
    ],
    [
      'what another module makes, in files that do not name Endpoint themselves',
      `=== make.py
${SDK}
class Derived(Endpoint): ...
              ^^^^^^^^ warning: endpoint-as-value
def task(**settings):
    return Endpoint(cpu="cpu3c-1-2", **settings)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [task]
=== shared/__init__.py
from make import task as job
=== a.py
from make import task
@task(name="a")
 ^^^^^^^^^^^^^^ error: unsupported-form
 > a gets an endpoint from the function task, and only endpoints that a module declares itself are found, so this one would be lost.
 > Fix: Move the declaration to the top level of the module.
 > [task] The endpoint is made here.
def a(): ...
=== b.py
import shared
@shared.job(name="b")
 ^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > b gets an endpoint from the function task, and only endpoints that a module declares itself are found, so this one would be lost.
 > Fix: Move the declaration to the top level of the module.
 > [task] The endpoint is made here.
def b(): ...
=== c.py
from make import Derived
c = Derived(name="c")
    ^^^^^^^ error: unsupported-form
    > Derived is made from Endpoint, and only what Endpoint itself declares is found, so this endpoint would be lost.
    > Fix: Call Endpoint itself, with shared arguments as **SETTINGS from a dict of the module.
`,
    ],
    [
      'declarations by a class derived from Endpoint, or by a partial',
      `=== base.py
import functools
${SDK}
class Derived(Endpoint): ...
              ^^^^^^^^ warning: endpoint-as-value
gpu = functools.partial(Endpoint, gpu=GpuGroup.ANY)
      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-as-value
=== a.py
import toolkit_sdk
from base import Derived, gpu
api = Derived(name="a")
      ^^^^^^^ error: unsupported-form
      > Derived is made from Endpoint, and only what Endpoint itself declares is found, so this endpoint would be lost.
      > Fix: Call Endpoint itself, with shared arguments as **SETTINGS from a dict of the module.
@gpu(name="b")
 ^^^ error: unsupported-form
 > gpu is made from Endpoint, and only what Endpoint itself declares is found, so this endpoint would be lost.
 > Fix: Call Endpoint itself, with shared arguments as **SETTINGS from a dict of the module.
def b(): ...
def test_it():
    return Derived(name="c")
`,
    ],
    [
      'an instance that is called on a function, and not as its decorator',
      `=== a.py
${SDK}
queue = Endpoint(name="queue")
def work(): ...
work = queue(work)
       ^^^^^^^^^^^ error: unsupported-form
       > A declaration is read only where it decorates a function, so this one would be lost.
       > Fix: Write @queue above the function that it serves.
register = queue
@register
def other(): ...
`,
    ],
    [
      'a route on a function that only a script has',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
if __name__ == "__main__":
    @api.get("/b")
    ^^^^^^^^^^^^^^ error: unsupported-form
    > b is in a block that a worker does not run.
    > Fix: Move the function out of that block.
    def b(): ...
`,
    ],
  ],
  silent: [
    [
      'a function that is perhaps defined again, or was before',
      `=== a.py
import os
${SDK}
@Endpoint(name="t")
def run(): ...
if os.environ.get("MOCK"):
    def run(): ...
try:
    import torch
except ImportError:
    def work(): ...
else:
    @Endpoint(name="w")
    def work(): ...
def late(): ...
if os.environ.get("LATE"):
    @Endpoint(name="late")
    def late(): ...
`,
    ],
    [
      'an end that not every import comes to',
      `=== a.py
import sys
${SDK}
@Endpoint(name="s")
def s():
    sys.exit(1)
if len(sys.argv) > 9:
    sys.exit(0)
if __name__ == "__main__":
    sys.exit(0)
`,
    ],
    [
      'declarations under a condition, in a try block, and with other decorators',
      `=== a.py
import functools, sys
${SDK}
if sys.version_info >= (3, 10):
    @Endpoint(name="a")
    def a(): ...
try:
    import uvloop
except ImportError:
    uvloop = None
else:
    api = Endpoint(name="api")
@functools.lru_cache
@Endpoint(name="b")
def b(): ...
def logged(function):
    @functools.wraps(function)
    def inner(*args): ...
    return inner
@api.get("/c")
@logged
def c(): ...
`,
    ],
    [
      'classes with defaults, inherited initializers, and dataclasses',
      `=== a.py
import dataclasses
${SDK}
class Base:
    def __init__(self): ...
@Endpoint(name="a")
class A(Base):
    def run(self): ...
@Endpoint(name="b")
@dataclasses.dataclass
class B:
    size: int = 1
    def run(self): ...
@Endpoint(name="c")
class C:
    def __init__(self, *, device="cuda", **options): ...
    def run(self): ...
`,
    ],
    [
      'a module that may end, or ends in a function or for scripts alone',
      `=== a.py
import sys
${SDK}
def main():
    sys.exit(0)
if sys.version_info < (3, 9):
    sys.exit("too old")
try:
    import yaml
except ImportError:
    raise SystemExit("pip install pyyaml")
@Endpoint(name="a")
def a(): ...
if __name__ == "__main__":
    sys.exit(main())
`,
    ],
    [
      'decorators that make no endpoint of what they decorate',
      `=== a.py
import functools
${SDK}
CACHE = {}
api = Endpoint(name="api")
@api.get("/health")
def health(): ...
def timed(function):
    @functools.wraps(function)
    def inner(*args):
        return CACHE.get(args) or function(*args)
    return inner
def maker():
    return lambda path: api.get(path)
make = maker()
def found(key):
    return CACHE.get(key)
value = found("a")
@timed
def plain(): ...
@Endpoint(name="a")
@timed
def a(): ...
`,
    ],
    [
      'names that are bound further down, and may be bound before',
      `=== a.py
import sys
${SDK}
if len(sys.argv) > 5:
    @Endpoint(name=LATE)
    def a(): ...
@Endpoint(name=str(__name__))
               ^^^^^^^^^^^^^ hint: dynamic-value
def b(): ...
LATE = "late"
str = lambda text: text
try:
    NAME
except NameError:
    NAME = "c"
@Endpoint(name=NAME)
               ^^^^ hint: dynamic-value
def c(): ...
NAME = "d"
def later():
    return LATE
=== d.py
${SDK}
globals().update(NAME="d")
@Endpoint(name=NAME)
def d(): ...
NAME = "d"
=== settings.py
NAME = "other"
=== e.py
${SDK}
from settings import *
@Endpoint(name=NAME)
def e(): ...
NAME = "e"
=== f.py
try:
    from toolkit_sdk import Endpoint
except ImportError:
    Endpoint = None
@Endpoint(name="f")
def f(): ...
import toolkit_sdk
from toolkit_sdk import Endpoint
`,
    ],
    [
      'functions of other modules that are called exit',
      `=== a.py
from mylog import exit
${SDK}
exit("start")
@Endpoint(name="a")
def a(): ...
=== b.py
from mylog import *
${SDK}
quit()
@Endpoint(name="b")
def b(): ...
=== c.py
from mylog import logger as sys
${SDK}
sys.exit("c")
@Endpoint(name="c")
def c(): ...
=== mylog.py
def exit(name): ...
def quit(): ...
logger = None
`,
    ],
    [
      'other classes called Endpoint, and a function that is defined again without a declaration',
      `=== a.py
import toolkit_sdk
from starlette.endpoints import HTTPEndpoint as Endpoint
class Homepage(Endpoint):
    async def get(self, request): ...
ROUTES = [Endpoint]
@Endpoint
def bare(): ...
=== b.py
${SDK}
def helper(): ...
def helper(): ...
@Endpoint(name="b")
def b(): ...
`,
    ],
    [
      'routes under conditions, and methods of a class that only have their names',
      `=== a.py
import sys
${SDK}
api = Endpoint(name="api")
if sys.platform == "linux":
    @api.get("/a")
    def a(): ...
else:
    @api.post("/a")
    def b(): ...
class Client:
    api = None
    def get(self, path):
        return self.api.get(path)
response = Client().get("/a")
for verb in (print,):
    verb("/a")
`,
    ],
    [
      'click commands, celery tasks, fixtures and models beside an endpoint',
      `=== a.py
import functools
from dataclasses import dataclass, field
${SDK}
def command(*parts, **options):
    def wrap(function): return function
    return wrap
class Group:
    def command(self, name): return lambda function: function
    def task(self, function=None, **options): return function
group = Group()
@group.command("sync")
@command("--force", is_flag=True)
def sync(): ...
@group.task
def later(): ...
@group.task(bind=True)
def bound(self): ...
@dataclass(slots=True)
class Settings:
    names: list[str] = field(default_factory=list)
    @functools.cached_property
    def first(self): ...
    @classmethod
    def load(cls): ...
@Endpoint(name="a")
def a():
    @functools.wraps(sync)
    def inner(): ...
    return inner
`,
    ],
  ],
};
