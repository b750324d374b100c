import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['kind'], others: ['missing-description', 'no-routes'] },
  fires: [
    [
      'a module that ends itself after its declarations',
      `=== a.py
import sys
${SDK}
from b import api
@Endpoint(name="s")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > The module stops at "sys.exit(0)" on line 8, so a worker could not import this declaration.
 > Fix: Move that statement under if __name__ == "__main__".
 > [exit] The module stops here.
def s(): ...
@api.get("/a")
^^^^^^^^^^^^^^ error: unsupported-form
> The module stops at "sys.exit(0)" on line 8, so a worker could not import a.
> Fix: Move that statement under if __name__ == "__main__".
> [exit] The module stops here.
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
     > run is defined again on line 6, so a worker would load that definition instead of this one.
     > Fix: Give one of them another name.
     > [run] run is defined again here.
    def run(): ...
    def run(): ...
        ^^^ [run]
`,
    ],
    [
      'declarations that no worker can load',
      `=== a.py
${SDK}
ALL = {"a": Endpoint(name="a")}
            ^^^^^^^^^^^^^^^^^^ error: unsupported-form
            > This declaration neither decorates a function nor is assigned to a name, so it cannot have routes.
            > Fix: Use it as a decorator, or assign it to a module-level name.
class Model:
    @Endpoint(name="method")
     ^^^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
     > predict is inside the class Model, where a worker cannot import it.
     > Fix: Move the function to the top level of the module.
    def predict(self): ...
@Endpoint
 ^^^^^^^^ error: unsupported-form
 > Endpoint must be called when it decorates a function.
 > Fix: Write @Endpoint().
def bare(): ...
if __name__ == "__main__":
    @Endpoint(name="main")
     ^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
     > A worker does not run code under if __name__ == "__main__", so it would not find this declaration.
     > Fix: Move the declaration out of that block.
    def main(): ...
`,
    ],
    [
      'routes of other kinds, and routes on a class',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.head("/x")
 ^^^^^^^^ error: unsupported-form
 > Endpoint has no route decorator "head".
 > Fix: Use one of get, post, put, patch, delete.
def head(): ...
@api.get("/class")
^^^^^^^^^^^^^^^^^^ error: unsupported-form
> Page is a class, but a route runs a function.
> Fix: Decorate a function that creates and uses an instance of the class.
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
        > This declaration neither decorates a function nor is assigned to a name, so it cannot have routes.
        > Fix: Use it as a decorator, or assign it to a module-level name.
maybe = Endpoint(name="c") if LIST else None
        ^^^^^^^^^^^^^^^^^^ error: unsupported-form
        > This declaration neither decorates a function nor is assigned to a name, so it cannot have routes.
        > Fix: Use it as a decorator, or assign it to a module-level name.
@(Endpoint(name="e"))
  ^^^^^^^^^^^^^^^^^^ error: unsupported-form
  > This declaration neither decorates a function nor is assigned to a name, so it cannot have routes.
  > Fix: Use it as a decorator, or assign it to a module-level name.
def parenthesized(): ...
late = Endpoint(name="f")(parenthesized)
       ^^^^^^^^^^^^^^^^^^ error: unsupported-form
       > This declaration neither decorates a function nor is assigned to a name, so it cannot have routes.
       > Fix: Use it as a decorator, or assign it to a module-level name.
`,
    ],
    [
      'routes that decorate nothing',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
api.post("/a")(a)
^^^^^^^^^^^^^^ error: unsupported-form
> A route is found only where it is written as a decorator, so this one would not be deployed.
> Fix: Write @api.post(...) above the function.
late = api.put("/b")
       ^^^^^^^^^^^^^ error: unsupported-form
       > A route is found only where it is written as a decorator, so this one would not be deployed.
       > Fix: Write @api.put(...) above the function.
@late
def b(): ...
for path in ["/c"]:
    api.get(path)(b)
    ^^^^^^^^^^^^^ error: unsupported-form
    > A route is found only where it is written as a decorator, so this one would not be deployed.
    > Fix: Write @api.get(...) above the function.
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
 > The module stops at "raise SystemExit("never")" on line 9, so a worker could not import this declaration.
 > Fix: Move that statement under if __name__ == "__main__".
 > [exit] The module stops here.
def before(): ...
raise SystemExit("never")
^^^^^^^^^^^^^^^^^^^^^^^^^ [exit]
api = Endpoint(name="api")
      ^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
      > The module stops at "raise SystemExit("never")" on line 9, so a worker would not reach this declaration.
      > Fix: Move that statement under if __name__ == "__main__".
      > [exit] The module stops here.
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
     > A worker does not run code under if __name__ == "__main__", so it would not find this declaration.
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
      > The module stops at "sys.exit()" on line 7, so a worker could not import this declaration.
      > Fix: Move that statement under if __name__ == "__main__".
      > [exit] The module stops here.
@api.get("/a")
def a(): ...
sys.exit()
^^^^^^^^^^ [exit]
@api.get("/b")
def b(): ...
`,
    ],
    [
      'a declaration after an exit that is imported by name',
      `=== a.py
from sys import exit
${SDK}
exit(0)
^^^^^^^ [exit]
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > The module stops at "exit(0)" on line 3, so a worker would not reach this declaration.
 > Fix: Move that statement under if __name__ == "__main__".
 > [exit] The module stops here.
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
 > api is used here before it is defined on line 7, so a worker cannot import this module.
 > Fix: Move the statement that defines api above this one.
@cached
 ^^^^^^ error: unsupported-form
 > cached is used here before it is defined on line 6, so a worker cannot import this module.
 > Fix: Move the statement that defines cached above this one.
def x(): ...
cached = functools.cache
api = Endpoint(name="api", env={"A": f"{NAME}-a"})
                                        ^^^^ error: unsupported-form
                                        > NAME is used here before it is defined on line 10, so a worker cannot import this module.
                                        > Fix: Move the statement that defines NAME above this one.
@Endpoint(name=NAME, workers=max(*SIZES))
               ^^^^ error: unsupported-form
               > NAME is used here before it is defined on line 10, so a worker cannot import this module.
               > Fix: Move the statement that defines NAME above this one.
                                  ^^^^^ error: unsupported-form
                                  > SIZES is used here before it is defined on line 11, so a worker cannot import this module.
                                  > Fix: Move the statement that defines SIZES above this one.
def b(): ...
NAME = "late"
SIZES = (1, 2)
=== b.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from toolkit_sdk import Endpoint
@Endpoint(name="b")
 ^^^^^^^^ error: unsupported-form
 > Endpoint is defined only under if TYPE_CHECKING, which a worker does not run, so a worker cannot import this module.
 > Fix: Define Endpoint outside that block.
def b(): ...
=== d.py
DEBUG = False
if DEBUG:
    NAME = "d"
from toolkit_sdk import Endpoint
@Endpoint(name=NAME)
               ^^^^ error: unsupported-form
               > NAME is defined only in a branch that a worker does not take, so a worker cannot import this module.
               > Fix: Define NAME outside that block.
def d(): ...
=== c.py
@Endpoint(name="c")
 ^^^^^^^^ error: unsupported-form
 > Endpoint is used here before it is defined on line 3, so a worker cannot import this module.
 > Fix: Move the statement that defines Endpoint above this one.
def c(): ...
from toolkit_sdk import Endpoint
`,
    ],
    [
      'a class whose instance requires arguments',
      `=== a.py
${SDK}
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > A requires the argument path, but a worker creates its instance without arguments.
 > Fix: Give path a default, or get its value inside __init__.
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
      'a function that is defined again, or whose name is bound to something else',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
^^^^^^^^^^^^^^ error: unsupported-form
> handler is defined again on line 6, so a worker would load that definition instead of this one.
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
 > Line 15 assigns another value to a, so a worker would not find this function.
 > Fix: Give one of them another name.
 > [a] a is assigned another value here.
def a(): ...
@Endpoint(name="b")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > Line 16 assigns another value to b, so a worker would not find this function.
 > Fix: Give one of them another name.
 > [b] b is assigned another value here.
def b(): ...
@Endpoint(name="c")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > Line 17 assigns another value to c, so a worker would not find this function.
 > Fix: Give one of them another name.
 > [c] c is assigned another value here.
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
      'one of two endpoints, through a name that is assigned twice',
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
 > api can be any of 2 endpoints (a.py:4 and a.py:6). Which one is known only when the code runs, so this route cannot be built.
 > Fix: Assign each endpoint to a different name.
 > [one] api may refer to this endpoint.
 > [two] api may refer to this endpoint.
def a(): ...
`,
    ],
    [
      'an instance created in a function that the module keeps',
      `=== a.py
${SDK}
def make(name):
    return Endpoint(name=name)
           ^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function [api]
api = make("api")
      ^^^^^^^^^^^ error: unsupported-form
      > The function make creates the endpoint of api. Only endpoints at the top level of a module are found, so this one would not be deployed.
      > Fix: Move the declaration to the top level of the module.
      > [api] The endpoint is created here.
@api.get("/a")
def a(): ...
def start():
    global late
    late = Endpoint(name="late")
           ^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
           > The function start assigns an endpoint to late. Only endpoints at the top level of a module are found, so this one would not be deployed.
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
      > The function named creates the endpoint of two. Only endpoints at the top level of a module are found, so this one would not be deployed.
      > Fix: Move the declaration to the top level of the module.
      > [two] The endpoint is created here.
`,
    ],
    [
      'an instance created in a function and used as a decorator',
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
       > The function added creates the route of late. Only routes at the top level of a module are found, so this one would not be deployed.
       > Fix: Move the declaration to the top level of the module.
       > [added] The route is created here.
=== a.py
import toolkit_sdk
from make import applied, direct, nested, short, versioned
@direct(name="a")
 ^^^^^^^^^^^^^^^^ error: unsupported-form
 > The function direct creates the endpoint of a. Only endpoints at the top level of a module are found, so this one would not be deployed.
 > Fix: Move the declaration to the top level of the module.
 > [direct] The endpoint is created here.
def a(): ...
@applied
 ^^^^^^^ error: unsupported-form
 > The function applied creates the endpoint of b. Only endpoints at the top level of a module are found, so this one would not be deployed.
 > Fix: Move the declaration to the top level of the module.
 > [applied] The endpoint is created here.
def b(): ...
@nested(name="c")
 ^^^^^^^^^^^^^^^^ error: unsupported-form
 > The function nested creates the endpoint of c. Only endpoints at the top level of a module are found, so this one would not be deployed.
 > Fix: Move the declaration to the top level of the module.
 > [nested] The endpoint is created here.
class c:
    def run(self): ...
@short("d")
 ^^^^^^^^^^ error: unsupported-form
 > The function short creates the endpoint of d. Only endpoints at the top level of a module are found, so this one would not be deployed.
 > Fix: Move the declaration to the top level of the module.
 > [short] The endpoint is created here.
def d(): ...
@versioned("/e")
 ^^^^^^^^^^^^^^^ error: unsupported-form
 > The function versioned creates the route of e. Only routes at the top level of a module are found, so this one would not be deployed.
 > Fix: Move the declaration to the top level of the module.
 > [versioned] The route is created here.
def e(): ...
unused = nested(name="f")
if __name__ == "__main__":
    @direct(name="script")
    def script(): ...
`,
    ],
    [
      'an instance created in another module, in files that do not name Endpoint',
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
 > The function task creates the endpoint of a. Only endpoints at the top level of a module are found, so this one would not be deployed.
 > Fix: Move the declaration to the top level of the module.
 > [task] The endpoint is created here.
def a(): ...
=== b.py
import shared
@shared.job(name="b")
 ^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > The function task creates the endpoint of b. Only endpoints at the top level of a module are found, so this one would not be deployed.
 > Fix: Move the declaration to the top level of the module.
 > [task] The endpoint is created here.
def b(): ...
=== c.py
from make import Derived
c = Derived(name="c")
    ^^^^^^^ error: unsupported-form
    > Derived is derived from Endpoint, but only declarations that call Endpoint itself are found, so this endpoint would not be deployed.
    > Fix: Call Endpoint itself, and pass shared arguments as **SETTINGS from a module-level dict.
`,
    ],
    [
      'declarations through a class derived from Endpoint, or through a partial',
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
      > Derived is derived from Endpoint, but only declarations that call Endpoint itself are found, so this endpoint would not be deployed.
      > Fix: Call Endpoint itself, and pass shared arguments as **SETTINGS from a module-level dict.
@gpu(name="b")
 ^^^ error: unsupported-form
 > gpu is derived from Endpoint, but only declarations that call Endpoint itself are found, so this endpoint would not be deployed.
 > Fix: Call Endpoint itself, and pass shared arguments as **SETTINGS from a module-level dict.
def b(): ...
def test_it():
    return Derived(name="c")
`,
    ],
    [
      'an instance that is called on a function instead of decorating it',
      `=== a.py
${SDK}
queue = Endpoint(name="queue")
def work(): ...
work = queue(work)
       ^^^^^^^^^^^ error: unsupported-form
       > An endpoint is found only where it is written as a decorator, so this one would not be deployed.
       > Fix: Write @queue above the function.
register = queue
@register
def other(): ...
`,
    ],
    [
      'a route on a function that exists only in scripts',
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
      'a function that is conditionally defined again, or was before',
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
      'an exit that not every import reaches',
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
      'a module with a conditional end, or one in a function or only for scripts',
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
      'decorators that do not turn their function into an endpoint',
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
      'names that are bound further down, but can be bound before',
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
      'functions named exit of other modules',
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
      'routes under conditions, and methods of a class that only share their names',
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
      'click commands, celery tasks, fixtures and models next to an endpoint',
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
