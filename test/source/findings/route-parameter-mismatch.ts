import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['path', 'parameters'] },
  fires: [
    [
      'a keyword of Python, which cannot name a parameter',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/q3/{class}")
              ^^^^^^^ error: route-parameter-mismatch
              > The path has {class}, but class is a Python keyword, so no parameter can have this name.
              > Fix: Rename {class} in the path to the name of a parameter, for example {class_}.
              > [q3] q3 is defined here.
def q3(c=1): ...
    ^^ [q3]
`,
    ],
    [
      'parameters that FastAPI takes from elsewhere',
      `=== a.py
from typing import Annotated
from fastapi import Header, Query  # toolkit: ignore[top-level-import]
${SDK}
api = Endpoint(name="api")
@api.get("/a/{id}")
             ^^^^ error: route-parameter-mismatch
             > The path has {id}, but a has no parameter id.
             > Fix: Add the parameter id to a, or remove {id} from the path.
             > [a] a is defined here.
def a(limit: int = Query(10), agent: Annotated[str | None, Header()] = None): ...
    ^ [a]
`,
    ],
    [
      'each parameter of the path that the function lacks, marked inside the path',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get(r"/a/{id}/{name:path}")
              ^^^^ error: route-parameter-mismatch
              > The path has {id}, but a has no parameter id.
              > Fix: Add the parameter id to a, or remove {id} from the path.
              > [a] a is defined here.
def a(name, *id): ...
    ^ [a]
@api.put("/b/{user}/{item}")
             ^^^^^^ error: route-parameter-mismatch
             > The path has {user}, but b has no parameter user.
             > Fix: Add the parameter user to b, or remove {user} from the path.
             > [b] b is defined here.
                    ^^^^^^ error: route-parameter-mismatch
                    > The path has {item}, but b has no parameter item.
                    > Fix: Add the parameter item to b, or remove {item} from the path.
                    > [b] b is defined here.
async def b(body): ...
          ^ [b]
`,
    ],
    [
      'the whole path when it is not a plain string',
      `=== a.py
${SDK}
PREFIX = "/v1"
api = Endpoint(name="api")
@api.get("/\\x61/{id}")
         ^^^^^^^^^^^^ error: route-parameter-mismatch
         > The path has {id}, but a has no parameter id.
         > Fix: Add the parameter id to a, or remove {id} from the path.
         > [a] a is defined here.
def a(): ...
    ^ [a]
@api.get((
         ^ error: route-parameter-mismatch
    "/c/{id}"
))
^ …
         > The path has {id}, but c has no parameter id.
         > Fix: Add the parameter id to c, or remove {id} from the path.
         > [c] c is defined here.
def c(): ...
    ^ [c]
@api.get(PREFIX + "/{id}")
         ^^^^^^^^^^^^^^^^ error: route-parameter-mismatch
         > The path has {id}, but b has no parameter id.
         > Fix: Add the parameter id to b, or remove {id} from the path.
         > [b] b is defined here.
def b(): ...
    ^ [b]
`,
    ],
    [
      'below other routes and decorators that keep the parameters',
      `=== a.py
import functools
${SDK}
api = Endpoint(name="api")
@api.get("/a/{id}")
             ^^^^ error: route-parameter-mismatch
             > The path has {id}, but a has no parameter id.
             > Fix: Add the parameter id to a, or remove {id} from the path.
             > [a] a is defined here.
@api.get("/a/first")
@functools.lru_cache(maxsize=None)
def a(): ...
    ^ [a]
`,
    ],
  ],
  silent: [
    [
      'parameters through which FastAPI can pass the path parameter',
      `=== a.py
from typing import Annotated
from fastapi import Depends, Path, Request, WebSocket  # toolkit: ignore[top-level-import]
from fastapi import Request as Asked  # toolkit: ignore[top-level-import]
import starlette.requests  # toolkit: ignore[top-level-import]
${SDK}
api = Endpoint(name="api")
def load(item_id: int): ...
Loaded = Annotated[int, Depends(load)]
LOADED = Depends(load)
@api.get("/a/{item_id}")
def a(item=Depends(load)): ...
@api.get("/b/{item_id}")
def b(item: Annotated[int, Depends(load)]): ...
@api.get("/c/{item_id}")
def c(item: int = Path(alias="item_id")): ...
@api.get("/d/{item_id}")
def d(request: Request): ...
@api.get("/e/{item_id}")
def e(request: "starlette.requests.HTTPConnection", limit=10): ...
@api.get("/f/{item_id}")
def f(socket: WebSocket): ...
@api.get("/g/{item_id}")
def g(item: Loaded): ...
@api.get("/h/{item_id}")
def h(item=LOADED): ...
@api.get("/i/{item_id}")
def i(request: Asked): ...
`,
    ],
    [
      'a decorator below the route that can change the parameters',
      `=== a.py
import functools
${SDK}
api = Endpoint(name="api")
def owned(function):
    def route(item_id: int):
        return function({"id": item_id})
    return route
@api.get("/items/{item_id}")
@owned
def show(item): ...
@api.get("/first/{item_id}")
@api.get("/second/{item_id}")
@functools.partial(print)
def second(item): ...
`,
    ],
    [
      'a function that accepts any keyword',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a/{id}")
def a(**values): ...
`,
    ],
    [
      'keyword-only parameters, with defaults, and in another order',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/users/{user}/items/{item}")
def a(item: int, *, user: str = "me", limit=10): ...
@api.get("/files/{name:path}")
async def b(name, /): ...
`,
    ],
    [
      'parameters that the path does not have',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.post("/search")
def search(query: str, limit: int = 10): ...
`,
    ],
    [
      'another framework’s route',
      `=== a.py
from fastapi import Depends, FastAPI
app = FastAPI()
@app.get("/users/{user_id}")
def user(found=Depends(lambda user_id: user_id)): ...
=== b.py
${SDK}
api = Endpoint(name="api")
@api.get("/b")
def b(): ...
`,
    ],
  ],
};
