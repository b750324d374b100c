import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['name'] },
  fires: [
    [
      'a load-balanced instance without a name',
      `=== a.py
${SDK}
api = Endpoint()
      ^^^^^^^^ error: missing-name
      > A load-balanced endpoint needs a name.
      > Fix: For example: name="my-endpoint".
@api.get("/a")
def a(): ...
other = Endpoint(
        ^^^^^^^^ error: missing-name
        > A load-balanced endpoint needs a name.
        > Fix: For example: name="my-endpoint".
    cpu="cpu5c-4-8",
    workers=1,
)
@other.get("/b")
def b(): ...
@other.get("/c")
def c(): ...
`,
    ],
    [
      'an empty name, in either form',
      `=== a.py
${SDK}
@Endpoint(name="")
               ^^ error: missing-name
               > The name of an endpoint cannot be empty.
               > Fix: For example: name="my-endpoint".
def a(): ...
EMPTY = ""
api = Endpoint(EMPTY)
               ^^^^^ error: missing-name
               > The name of an endpoint cannot be empty.
               > Fix: For example: name="my-endpoint".
@api.get("/b")
def b(): ...
`,
    ],
    [
      'a table of pyproject.toml without a name',
      `=== pyproject.toml
[[tool.toolkit.endpoints]]
^^^^^^^^^^^^^^^^^^^^^^^^^^ error: missing-name
> An endpoint in pyproject.toml needs a name.
> Fix: For example: name = "my-endpoint".
command = ["./serve"]
`,
    ],
  ],
  silent: [
    [
      'a queue-based function, whose own name counts',
      `=== a.py
${SDK}
@Endpoint()
def a(): ...
@Endpoint(name=None, workers=1)
def b(): ...
queue = Endpoint()
@queue
def c(): ...
@Endpoint(gpu=GpuGroup.ANY)
class Model:
    def predict(self): ...
`,
    ],
    [
      'a name by position, as a constant, or among shared settings',
      `=== a.py
${SDK}
NAME = "".join(["a", "pi"])
SETTINGS = {"name": "second"}
first = Endpoint("first")
@first.get("/a")
def a(): ...
second = Endpoint(**SETTINGS)
@second.get("/b")
def b(): ...
third = Endpoint(name=NAME)
                      ^^^^ hint: dynamic-value
@third.get("/c")
def c(): ...
`,
    ],
    [
      'applications and routers of other packages',
      `=== a.py
from fastapi import APIRouter, FastAPI
import toolkit_sdk
app = FastAPI()
router = APIRouter()
@app.get("/a")
def a(): ...
@router.post("/b")
def b(): ...
`,
    ],
  ],
};
