import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['path', 'routes', 'dynamic'], others: ['route-parameter-mismatch'] },
  fires: [
    [
      'no slash at the start, and characters that are not allowed in a path',
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
         > The path "/a b " contains whitespace.
         > Fix: Write "/a-b".
def c(): ...
@api.get("/search?q=x")
         ^^^^^^^^^^^^^ error: invalid-path
         > The path "/search?q=x" contains "?" or "#", which a route cannot have.
         > Fix: Write "/search"; the query parameters of a request are passed to the parameters of the function.
def d(): ...
`,
    ],
    [
      'a missing path',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get()
 ^^^^^^^ error: invalid-path
 > A route needs a path, a string that begins with "/".
 > Fix: For example: "/a".
def a(): ...
@api.get
 ^^^^^^^ error: invalid-path
 > A route needs a path, a string that begins with "/".
 > Fix: For example: "/b".
def b(): ...
@api.get(3)
         ^ error: invalid-path
         > A route needs a path, a string that begins with "/".
         > Fix: For example: "/c".
def c(): ...
@api.get(b"/b")
         ^^^^^ error: invalid-path
         > A route needs a path, a string that begins with "/".
         > Fix: For example: "/e".
def e(): ...
@api.get(None)
         ^^^^ error: invalid-path
         > A route needs a path, a string that begins with "/".
         > Fix: For example: "/d".
def d(): ...
`,
    ],
    [
      'parameters of another form, and a repeated one',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a{b")
         ^^^^^^ error: invalid-path
         > The path "/a{b" has a parameter that does not have the form {name}.
         > Fix: For example: "/items/{id}".
def a(): ...
@api.get("/users/{user-id}")
         ^^^^^^^^^^^^^^^^^^ error: invalid-path
         > The path "/users/{user-id}" has a parameter that does not have the form {name}.
         > Fix: Write "/users/{user_id}".
def b(): ...
@api.get("/{}")
         ^^^^^ error: invalid-path
         > The path "/{}" has a parameter that does not have the form {name}.
         > Fix: For example: "/items/{id}".
def c(): ...
@api.get("/i/{ a }")
         ^^^^^^^^^^ error: invalid-path
         > The path "/i/{ a }" contains whitespace.
         > Fix: Write "/i/{a}".
def spaced(a): ...
@api.get("/x/{µ}")
         ^^^^^^^^ error: invalid-path
         > The path "/x/{µ}" has a parameter that does not have the form {name}.
         > Fix: For example: "/items/{id}".
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
      'a combined path',
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
      'a path known only at run time',
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
      'clients and mocks whose methods have the names of verbs',
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
