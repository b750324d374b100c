import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['path', 'routes', 'dynamic'], others: ['route-parameter-mismatch'] },
  fires: [
    [
      'no slash at the start, and characters that no path has',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("items")
         ^^^^^^^ error: invalid-path
         > The path "items" does not begin with "/".
         > Fix: Write "/items".
def a(): ...
@api.get("")
         ^^ error: invalid-path
         > The path "" does not begin with "/".
         > Fix: Write "/".
def b(): ...
@api.get("/a b ")
         ^^^^^^^ error: invalid-path
         > The path "/a b " contains a blank.
         > Fix: Write "/a-b".
def c(): ...
@api.get("/search?q=x")
         ^^^^^^^^^^^^^ error: invalid-path
         > The path "/search?q=x" contains a "?" or "#", which no route has.
         > Fix: Write "/search"; what a request says after "?" arrives as parameters of the function.
def d(): ...
`,
    ],
    [
      'no path at all',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get()
 ^^^^^^^ error: invalid-path
 > A route needs a path, a string that begins with "/".
 > Fix: Write for example "/a".
def a(): ...
@api.get
 ^^^^^^^ error: invalid-path
 > A route needs a path, a string that begins with "/".
 > Fix: Write for example "/b".
def b(): ...
@api.get(3)
         ^ error: invalid-path
         > A route needs a path, a string that begins with "/".
         > Fix: Write for example "/c".
def c(): ...
@api.get(b"/b")
         ^^^^^ error: invalid-path
         > A route needs a path, a string that begins with "/".
         > Fix: Write for example "/e".
def e(): ...
@api.get(None)
         ^^^^ error: invalid-path
         > A route needs a path, a string that begins with "/".
         > Fix: Write for example "/d".
def d(): ...
`,
    ],
    [
      'parameters of another form, and one that is there twice',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a{b")
         ^^^^^^ error: invalid-path
         > The path "/a{b" has a parameter that is not of the form {name}.
         > Fix: Write for example "/items/{id}".
def a(): ...
@api.get("/users/{user-id}")
         ^^^^^^^^^^^^^^^^^^ error: invalid-path
         > The path "/users/{user-id}" has a parameter that is not of the form {name}.
         > Fix: Write "/users/{user_id}".
def b(): ...
@api.get("/{}")
         ^^^^^ error: invalid-path
         > The path "/{}" has a parameter that is not of the form {name}.
         > Fix: Write for example "/items/{id}".
def c(): ...
@api.get("/i/{ a }")
         ^^^^^^^^^^ error: invalid-path
         > The path "/i/{ a }" contains a blank.
         > Fix: Write "/i/{a}".
def spaced(a): ...
@api.get("/x/{µ}")
         ^^^^^^^^ error: invalid-path
         > The path "/x/{µ}" has a parameter that is not of the form {name}.
         > Fix: Write for example "/items/{id}".
def micro(): ...
@api.get(path="/{a}/{a}")
              ^^^^^^^^^^ error: invalid-path
              > The path "/{a}/{a}" has the parameter {a} twice.
              > Fix: Give one of them another name.
def d(a): ...
`,
    ],
    [
      'a path over several lines',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get(
    "items/"
    ^^^^^^^^ error: invalid-path
    > The path "items/{id}" does not begin with "/".
    > Fix: Write "/items/{id}".
    "{id}"
    ^^^^^^ …
)
def a(id): ...
`,
    ],
  ],
  silent: [
    [
      'parameters with converters, and the root',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/")
def a(): ...
@api.get("/files/{name:path}/{_1}")
def b(name, _1): ...
@api.get("/ä/%20/~x.json;v=1")
def c(): ...
`,
    ],
    [
      'a path that is put together',
      `=== paths.py
PREFIX = "/v1"
=== a.py
${SDK}
from paths import PREFIX
api = Endpoint(name="api")
@api.get(PREFIX + "/items")
def a(): ...
@api.get(f"{PREFIX}/items/{{id}}")
def b(id): ...
`,
    ],
    [
      'a path that only running the code could tell',
      `=== a.py
import os
${SDK}
api = Endpoint(name="api")
@api.get(os.environ["ROUTE"])
         ^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
@api.get(*["items"])
^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def b(): ...
`,
    ],
    [
      'clients and mocks whose methods have the names of routes',
      `=== a.py
import functools
import responses
       ^^^^^^^^^ warning: top-level-import
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
@responses.get("items")
def b(): ...
@functools.lru_cache
def get(path="items"): ...
get("items")
`,
    ],
  ],
};
