import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['workers', 'idleTimeout', 'executionTimeout', 'dependencies'] },
  fires: [
    [
      'names that an argument has in other products',
      `=== a.py
${SDK}
@Endpoint(name="a", packages=["idna"])
                    ^^^^^^^^ error: unknown-keyword
                    > Endpoint has no argument packages; did you mean dependencies?
                    > Fix: Write dependencies instead of packages.
def a(): ...
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "b"
command = ["./serve"]
load_balanced = true
^^^^^^^^^^^^^ error: unknown-keyword
> An endpoint in pyproject.toml has no key load_balanced; did you mean kind = "load-balanced"?
> Fix: Write kind = "load-balanced" instead of load_balanced.
`,
    ],
    [
      'a keyword with the intended one, and one without a similar one',
      `=== a.py
${SDK}
@Endpoint(worker=(0, 1), zzzzzzzz=1)
          ^^^^^^ error: unknown-keyword
          > Endpoint has no argument worker; did you mean workers?
          > Fix: Write workers instead of worker.
                         ^^^^^^^^ error: unknown-keyword
                         > Endpoint has no argument zzzzzzzz; it takes name, gpu, cpu, workers, idle_timeout, dependencies, env, image, gpu_count, execution_timeout, max_concurrency.
                         > Fix: Remove zzzzzzzz.
def a(): ...
@Endpoint(dependancies=["idna"])
          ^^^^^^^^^^^^ error: unknown-keyword
          > Endpoint has no argument dependancies; did you mean dependencies?
          > Fix: Write dependencies instead of dependancies.
def b(): ...
`,
    ],
    [
      'inside shared settings, and in pyproject.toml',
      `=== a.py
${SDK}
SETTINGS = {"workers": 1, "timeout": 3}
@Endpoint(**SETTINGS)
            ^^^^^^^^ error: unknown-keyword
            > Endpoint has no argument timeout; did you mean idle_timeout or execution_timeout?
            > Fix: Write idle_timeout or execution_timeout instead of timeout.
def a(): ...
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "b"
command = ["./serve"]
wokers = 1
^^^^^^ error: unknown-keyword
> An endpoint in pyproject.toml has no key wokers; did you mean workers?
> Fix: Write workers instead of wokers.
`,
    ],
    [
      'arguments of a route, which accepts only its path',
      `=== a.py
${SDK}
OPTS = {"tags": ["b"]}
api = Endpoint(name="api")
@api.get("/a", tags=["a"], status_code=201)
               ^^^^ error: unknown-keyword
               > @api.get has no argument tags; FastAPI's options are not supported: a route takes only its path.
               > Fix: Remove tags.
                           ^^^^^^^^^^^ error: unknown-keyword
                           > @api.get has no argument status_code; FastAPI's options are not supported: a route takes only its path.
                           > Fix: Remove status_code.
def a(): ...
@api.post("/b", **OPTS)
                  ^^^^ error: unknown-keyword
                  > @api.post has no argument tags; FastAPI's options are not supported: a route takes only its path.
                  > Fix: Remove tags.
def b(): ...
@api.put("/c", timeout=3)
               ^^^^^^^ error: unknown-keyword
               > @api.put has no argument timeout; a route takes only its path.
               > Fix: Remove timeout.
def c(): ...
@api.patch(paht="/d")
 ^^^^^^^^^ error: invalid-path
           ^^^^ error: unknown-keyword
           > @api.patch has no argument paht; did you mean path?
           > Fix: Write path instead of paht.
def d(): ...
`,
    ],
  ],
  silent: [
    [
      'every keyword that Endpoint has',
      `=== a.py
${SDK}
@Endpoint(
    name="a",
    gpu=GpuGroup.ANY,
    workers=(0, 1),
    idle_timeout=1,
    dependencies=[],
    env={},
    image="registry.example/a:1",
    gpu_count=2,
    execution_timeout=60,
    max_concurrency=1,
)
def a(): ...
`,
    ],
    [
      'settings known only at run time',
      `=== a.py
import json
${SDK}
@Endpoint(name="a", **json.loads("{}"))
                      ^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
`,
    ],
    [
      'classes of other packages with the same name',
      `=== a.py
import toolkit_sdk
from starlette.endpoints import HTTPEndpoint as Endpoint
from kubernetes.client import V1Endpoints
@Endpoint(worker=1)
def a(): ...
V1Endpoints(subsets=[])
`,
    ],
    [
      'keywords of a route’s decorator and of the function',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get(path="/a")
def a(worker=1): ...
a(worker=2)
@api.get(**{"path": "/b"})
def b(): ...
@api.get("/c", *(), **{})
def c(): ...
`,
    ],
  ],
};
