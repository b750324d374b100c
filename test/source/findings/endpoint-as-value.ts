import { type FindingFixtures, SDK } from './fixtures.ts';

const VALUE = `> \`Endpoint\` is passed around as a value here, so endpoints that are declared through it are not found.`;
const ALIAS = '> Fix: Call Endpoint by its own name, or by an alias such as E = Endpoint.';
const IMPORT = '> Fix: Import it with "from toolkit_sdk import Endpoint".';
const PASSED =
  '> `api` is passed around as a value here, so routes that are added to it through another name are not found.';
const TAKEN =
  '> A route decorator of `api` is used as a value here, so routes that are added through it are not found.';
const DECORATE = '> Fix: Add each route as a decorator, for example @api.get("/hello").';
const SHARED =
  '> Fix: Call Endpoint itself, and pass shared arguments as **SETTINGS from a module-level dict.';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'an endpoint whose name a function takes later or in a branch',
      `=== a.py
import os
${SDK}
job = Endpoint(name="job")
register(job)
         ^^^ warning: endpoint-as-value
         > \`job\` is passed around as a value here, so routes that are added to it through another name are not found.
         > Fix: Add each route as a decorator, for example @job.get("/hello").
@job.get("/a")
def job(): ...
api = Endpoint(name="api")
@api.get("/b")
def b(): ...
if os.environ.get("MOCK"):
    def api(): ...
register(api)
         ^^^ warning: endpoint-as-value
         > \`api\` is passed around as a value here, so routes that are added to it through another name are not found.
         > Fix: Add each route as a decorator, for example @api.get("/hello").
`,
    ],
    [
      'the class under an alias of an alias',
      `=== a.py
${SDK}
E = Endpoint
F = E
register(F)
         ^ warning: endpoint-as-value
         ${VALUE}
         ${ALIAS}
@F(name="a")
def a(): ...
`,
    ],
    [
      'an endpoint from a module next to it that has the name of one in the standard library',
      `=== pkg/__init__.py
=== pkg/queue.py
${SDK}
api = Endpoint(name="api")
=== pkg/a.py
from .queue import api
register(api)
         ^^^ warning: endpoint-as-value
         ${PASSED}
         ${DECORATE}
@api.get("/a")
def a(): ...
`,
    ],
    [
      'a decorator or an exception that is constructed with it',
      `=== a.py
from b import failure, registry
${SDK}
@registry.register("endpoint", Endpoint)
                               ^^^^^^^^ warning: endpoint-as-value
                               > \`Endpoint\` is passed around as a value here, so endpoints that are declared through it are not found.
                               > Fix: Call Endpoint by its own name, or by an alias such as E = Endpoint.
def a(): ...
def b():
    raise failure(make(Endpoint))
                       ^^^^^^^^ warning: endpoint-as-value
                       > \`Endpoint\` is passed around as a value here, so endpoints that are declared through it are not found.
                       > Fix: Call Endpoint by its own name, or by an alias such as E = Endpoint.
def make(value): ...
=== b.py
registry = failure = None
`,
    ],
    [
      'the class passed on, or looked up by a string',
      `=== a.py
import importlib
import toolkit_sdk as sdk
from toolkit_sdk import Endpoint as E
D = {"e": E, **{}}
          ^ warning: endpoint-as-value
          ${VALUE}
          ${ALIAS}
@D["e"](name="a")
def a(): ...
make = getattr(sdk, "Endpoint")
       ^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-as-value
       > \`Endpoint\` is looked up with getattr here, so endpoints that are declared through it are not found.
       ${IMPORT}
@make(name="b")
def b(): ...
@importlib.import_module("toolkit_sdk").Endpoint(name="c")
 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-as-value
 > toolkit_sdk is imported dynamically here, so endpoints that are declared through it are not found.
 ${IMPORT}
def c(): ...
def register(declare=sdk.Endpoint):
                     ^^^^^^^^^^^^ warning: endpoint-as-value
                     ${VALUE}
                     ${ALIAS}
    return declare
register(E)
         ^ warning: endpoint-as-value
         ${VALUE}
         ${ALIAS}
def get():
    return E if D else None
           ^ warning: endpoint-as-value
           ${VALUE}
           ${ALIAS}
for each in (E, E):
             ^ warning: endpoint-as-value
             ${VALUE}
             ${ALIAS}
                ^ warning: endpoint-as-value
                ${VALUE}
                ${ALIAS}
    pass
`,
    ],
    [
      'an endpoint with routes, passed to a function that can add some',
      `=== lb.py
${SDK}
api = Endpoint(name="api")
@api.get("/hello")
def hello(): ...
=== routes.py
from lb import api
def register(app, function):
    app.post("/more")(function)
def more(): ...
register(api, more)
         ^^^ warning: endpoint-as-value
         ${PASSED}
         ${DECORATE}
for app in [api]:
            ^^^ warning: endpoint-as-value
            ${PASSED}
            ${DECORATE}
    @app.put("/loop")
    def loop(): ...
def make(instance):
    return instance
made = make(api)
            ^^^ warning: endpoint-as-value
            ${PASSED}
            ${DECORATE}
=== letters.py
${SDK}
größe = Endpoint(name="size")
@größe.get("/size")
def size(): ...
print(größe, register(größe))
                      ^^^^^ warning: endpoint-as-value
                      ${PASSED.replace('api', 'größe')}
                      ${DECORATE.replace('api', 'größe')}
`,
    ],
    [
      'a derived class and a partial that declare nothing',
      `=== a.py
import functools
${SDK}
class Derived(Endpoint): ...
              ^^^^^^^^ warning: endpoint-as-value
              > Endpoints that are declared with a subclass of Endpoint are not found.
              ${SHARED}
gpu = functools.partial(Endpoint, gpu=GpuGroup.ANY)
      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-as-value
      > Endpoints that are declared with a partial of Endpoint are not found.
      ${SHARED}
`,
    ],
    [
      'a route decorator used as a value, or looked up by a string',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
post = api.post
       ^^^^^^^^ warning: endpoint-as-value
       ${TAKEN}
       ${DECORATE}
@post("/b")
def b(): ...
put, patch = api.put, api.patch
             ^^^^^^^ warning: endpoint-as-value
             ${TAKEN}
             ${DECORATE}
                      ^^^^^^^^^ warning: endpoint-as-value
                      ${TAKEN}
                      ${DECORATE}
@(api.put)("/c")
def c(): ...
for verb in ("get", "delete"):
    getattr(api, verb)("/d")(c)
    ^^^^^^^^^^^^^^^^^^ warning: endpoint-as-value
    ${TAKEN}
    ${DECORATE}
routes = [(api.get, "/e")]
           ^^^^^^^ warning: endpoint-as-value
           ${TAKEN}
           ${DECORATE}
=== b.py
from a import api
@api.get("/late")
def late(): ...
get = getattr(api, "get")
      ^^^^^^^^^^^^^^^^^^^ warning: endpoint-as-value
      ${TAKEN}
      ${DECORATE}
@get("/f")
def f(): ...
`,
    ],
    [
      'the class or an instance called through an expression',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
@(None or Endpoint)(name="b")
          ^^^^^^^^ warning: endpoint-as-value
          ${VALUE}
          ${ALIAS}
def b(): ...
@(None or api).get("/c")
          ^^^ warning: endpoint-as-value
          ${PASSED}
          ${DECORATE}
def c(): ...
`,
    ],
  ],
  silent: [
    [
      'a function with the name of the endpoint that serves it',
      `=== a.py
${SDK}
job = Endpoint(name="job")
@job
def job(n: int):
    return job(n - 1)
def other():
    return job(3)
first = job(3)
ALL = [job]
=== b.py
from a import job
job(4)
register(job)
`,
    ],
    [
      'an exception that prints it, and a function for values of its class',
      `=== a.py
import functools
${SDK}
@functools.singledispatch
def convert(value): ...
@convert.register(Endpoint)
def _(value): ...
def check(value):
    raise TypeError(f"not {Endpoint}", Endpoint)
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'an endpoint with routes, printed, compared, or given another name',
      `=== a.py
import logging
${SDK}
api = Endpoint(name="api")
other = api
@other.get("/hello")
def hello():
    logging.info("%s", api)
    return isinstance(api, Endpoint)
print(api)
assert api
assert callable(api.get) and api.get is not None
print(api.get.__doc__, api.name, getattr(api, "name"), getattr(api, "missing", None))
cache = {}
get = cache.get
put = getattr(cache, "put")
if __name__ == "__main__":
    serve(api)
`,
    ],
    [
      'code that only reads it, and aliases that can be followed',
      `=== a.py
from __future__ import annotations
import logging, pprint, typing
import toolkit_sdk
from toolkit_sdk import Endpoint, GpuGroup
log = logging.getLogger(__name__)
if typing.TYPE_CHECKING:
    KINDS = [Endpoint]
Apis = dict[str, Endpoint]
Maybe = Endpoint | None
E, G = Endpoint, GpuGroup
F = toolkit_sdk.Endpoint
def each(api: Endpoint = None, *more: Endpoint) -> Endpoint:
    assert isinstance(api, (Endpoint, str)) and Endpoint is not None
    log.info("%s", Endpoint)
    log.warning("%s", [Endpoint])
    pprint.pprint(sorted([Endpoint, E], key=str))
    if Endpoint == E or Endpoint in (E, F):
        return len([Endpoint])
    return typing.cast(Endpoint, api)
print(Endpoint.__doc__, f"{Endpoint}", "{}".format(Endpoint))
if __name__ == "__main__":
    each(Endpoint)
@E(name="a")
def a(): ...
@F(name="b")
def b(): ...
`,
    ],
    [
      'a line with a comment that silences it',
      `=== a.py
${SDK}
def get():
    return Endpoint  # toolkit: ignore[endpoint-as-value]
`,
    ],
    [
      'other classes of the same name',
      `=== a.py
import toolkit_sdk
from other import Endpoint
register(Endpoint)
class Derived(Endpoint): ...
getattr(Endpoint, "Endpoint")
`,
    ],
  ],
};
