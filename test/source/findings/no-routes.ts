import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'an instance without routes',
      `=== a.py
${SDK}
api = Endpoint(name="api")
      ^^^^^^^^ warning: no-routes
      > This endpoint has no routes, so it would not respond to any request.
      > Fix: Decorate a function with a route, for example @api.get("/hello"), or remove the endpoint.
web_app: Endpoint = Endpoint(name="web")
                    ^^^^^^^^ warning: no-routes
                    > This endpoint has no routes, so it would not respond to any request.
                    > Fix: Decorate a function with a route, for example @web_app.get("/hello"), or remove the endpoint.
again = Endpoint(name="again")
        ^^^^^^^^ warning: no-routes
        > This endpoint has no routes, so it would not respond to any request.
        > Fix: Decorate a function with a route, for example @api.get("/hello") where api is this endpoint, or remove the endpoint.
again: Endpoint
again = again
used = Endpoint(name="used")
=== b.py
from a import used
@used.get("/x")
def x(): ...
`,
    ],
    [
      'an instance whose routes are another framework’s, and a declaration over several lines',
      `=== a.py
from fastapi import FastAPI
     ^^^^^^^ warning: top-level-import
import toolkit_sdk as sdk
api = sdk.Endpoint(
      ^^^^^^^^^^^^ warning: no-routes
      > This endpoint has no routes, so it would not respond to any request.
      > Fix: Decorate a function with a route, for example @api.get("/hello"), or remove the endpoint.
    name="api",
    cpu="cpu5c-4-8",
)
app = FastAPI()
@app.get("/a")
def a(): ...
`,
    ],
  ],
  silent: [
    [
      'routes in another file, through a package, a module and an alias',
      `=== shared/__init__.py
from .apis import api
=== shared/apis.py
${SDK}
api = Endpoint(name="api")
other = Endpoint(name="other")
third = Endpoint(name="third")
=== routes.py
import shared.apis
from shared import api as renamed
from shared.apis import *
@renamed.get("/a")
def a(): ...
@shared.apis.other.get("/b")
def b(): ...
@third.get("/c")
def c(): ...
`,
    ],
    [
      'an instance that decorates one function',
      `=== a.py
${SDK}
queue = Endpoint(name="queue")
@queue
def work(): ...
`,
    ],
    [
      'a declaration that directly decorates its function',
      `=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
@Endpoint(name="b")
class B:
    def run(self): ...
`,
    ],
    [
      'an instance that no worker has, which has another finding',
      `=== a.py
${SDK}
def factory():
    inner = Endpoint(name="inner")
            ^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
if __name__ == "__main__":
    late = Endpoint(name="late")
           ^^^^^^^^^^^^^^^^^^^^^ error: unsupported-form
`,
    ],
    [
      'a class of another package with that name',
      `=== a.py
import toolkit_sdk
from sanic import Endpoint
from botocore.regions import EndpointResolver
api = Endpoint(name="api")
resolver = EndpointResolver({})
`,
    ],
  ],
};
