import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['path'] },
  fires: [
    [
      'across files, with other parameter names',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/items/{id}")
         ^^^^^^^^^^^^^ error: duplicate-route [by_id]
         > The route GET /items/{id} matches the same requests as GET /items/{name} on one endpoint.
         > Fix: Give one of them another path or method.
         > [by_name] GET /items/{name} matches the same requests.
def a(id): ...
@api.post("/items/{id}")
def b(id): ...
=== b.py
from a import api
@api.get("/items/{name}")
         ^^^^^^^^^^^^^^^ error: duplicate-route [by_name]
         > The route GET /items/{name} matches the same requests as GET /items/{id} on one endpoint.
         > Fix: Give one of them another path or method.
         > [by_id] GET /items/{id} matches the same requests.
def c(name): ...
`,
    ],
    [
      'two instances of the same name',
      `=== a.py
${SDK}
first = Endpoint(name="api")
second = Endpoint(name="api")
@first.get("/health")
           ^^^^^^^^^ error: duplicate-route [first]
           > The route GET /health is declared 2 times on one endpoint.
           > Fix: Give one of them another path or method.
           > [second] The same route is declared here.
def a(): ...
@second.get("/health")
            ^^^^^^^^^ error: duplicate-route [second]
            > The route GET /health is declared 2 times on one endpoint.
            > Fix: Give one of them another path or method.
            > [first] The same route is declared here.
def b(): ...
`,
    ],
    [
      'twice on one function, and with a constant path',
      `=== a.py
${SDK}
PREFIX = "/v1"
api = Endpoint(name="api")
@api.get("/v1/x")
         ^^^^^^^ error: duplicate-route [plain]
         > The route GET /v1/x is declared 2 times on one endpoint.
         > Fix: Give one of them another path or method.
         > [formatted] The same route is declared here.
@api.get(f"{PREFIX}/x")
         ^^^^^^^^^^^^^ error: duplicate-route [formatted]
         > The route GET /v1/x is declared 2 times on one endpoint.
         > Fix: Give one of them another path or method.
         > [plain] The same route is declared here.
def a(): ...
`,
    ],
  ],
  silent: [
    [
      'one path with two methods, and paths that differ in a slash or in case',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/items")
@api.post("/items")
def a(): ...
@api.get("/items/")
def b(): ...
@api.get("/Items")
def c(): ...
@api.get("/items/{id}")
def d(id): ...
`,
    ],
    [
      'one path on two endpoints',
      `=== a.py
${SDK}
one = Endpoint(name="one")
two = Endpoint(name="two")
@one.get("/health")
@two.get("/health")
def health(): ...
`,
    ],
    [
      'the same route of another framework',
      `=== a.py
from fastapi import FastAPI
app = FastAPI()
@app.get("/health")
def health(): ...
@app.get("/health")
def again(): ...
=== b.py
${SDK}
api = Endpoint(name="api")
@api.get("/health")
def health(): ...
`,
    ],
    [
      'instances whose names are known only at run time',
      `=== a.py
import os
${SDK}
one = Endpoint(name=os.environ["ONE"])
                    ^^^^^^^^^^^^^^^^^ hint: dynamic-value
two = Endpoint(name=os.environ["TWO"])
                    ^^^^^^^^^^^^^^^^^ hint: dynamic-value
@one.get("/health")
def a(): ...
@two.get("/health")
def b(): ...
`,
    ],
  ],
};
