import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['path'] },
  fires: [
    [
      'the path of health checks, with any method',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/ping")
         ^^^^^^^ error: reserved-path
         > The path "/ping" is reserved: it is used for health checks of the workers.
         > Fix: Choose another path, for example "/health".
def a(): ...
@api.post("/ping")
          ^^^^^^^ error: reserved-path
          > The path "/ping" is reserved: it is used for health checks of the workers.
          > Fix: Choose another path, for example "/health".
def b(): ...
`,
    ],
    [
      'in another file than the instance, through a constant',
      `=== a.py
${SDK}
api = Endpoint(name="api")
=== b.py
from a import api
PING = "/" "ping"
@api.get(PING)
         ^^^^ error: reserved-path
         > The path "/ping" is reserved: it is used for health checks of the workers.
         > Fix: Choose another path, for example "/health".
def a(): ...
`,
    ],
  ],
  silent: [
    [
      'longer paths, and another case',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/ping/me")
def a(): ...
@api.get("/pings")
def b(): ...
@api.get("/Ping")
def c(): ...
@api.get("/health")
def ping(): ...
`,
    ],
    [
      'that path in another framework',
      `=== a.py
from fastapi import FastAPI
app = FastAPI()
@app.get("/ping")
def ping(): ...
=== b.py
${SDK}
@Endpoint(name="b")
def b(): ...
`,
    ],
    [
      'a queue-based endpoint of that name',
      `=== a.py
${SDK}
@Endpoint(name="ping")
def ping(path="/ping"): ...
`,
    ],
  ],
};
