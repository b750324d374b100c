import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['kind'], others: ['missing-description', 'no-routes'] },
  fires: [
    [
      'a name that is undefined, or not an instance',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@Endpoint.get("/a")
 ^^^^^^^^^^^^ warning: not-an-endpoint
 > Endpoint is the class Endpoint, not an instance of it, so this route would not be served.
 > Fix: Write @api.get(...).
def a(): ...
@ap.get("/b")
 ^^^^^^ warning: not-an-endpoint
 > ap is not defined, so this route would not be served.
 > Fix: Write @api.get(...).
def b(): ...
text = "api"
@text.get("/d")
 ^^^^^^^^ warning: not-an-endpoint
 > text is not an instance of Endpoint, so this route would not be served.
 > Fix: Write @api.get(...).
def d(): ...
@api.get("/f")
def f(): ...
`,
    ],
    [
      'a module, and a name that is missing in its module',
      `=== a.py
import lb
from lb import api, nothing
${SDK}
@lb.post("/c")
 ^^^^^^^ warning: not-an-endpoint
 > lb is a module, not an instance of Endpoint, so this route would not be served.
 > Fix: Write @api.post(...).
def c(): ...
@nothing.get("/e")
 ^^^^^^^^^^^ warning: not-an-endpoint
 > nothing is not defined, so this route would not be served.
 > Fix: Write @api.get(...).
def e(): ...
@api.get("/f")
def f(): ...
=== lb.py
${SDK}
api = Endpoint(name="api")
`,
    ],
    [
      'an undefined name in a file without instances',
      `=== a.py
${SDK}
@api.get("/a")
 ^^^^^^^ warning: not-an-endpoint
 > api is not defined, so this route would not be served.
 > Fix: Declare an endpoint, for example api = Endpoint(name="my-api"), and use its routes.
def a(): ...
@Endpoint(name="b")
def b(): ...
`,
    ],
  ],
  silent: [
    [
      'an object of another package',
      `=== a.py
import responses, httpx
from fastapi import FastAPI, APIRouter as Router
from flask import *
${SDK}
app = FastAPI()
router = Router(prefix="/x")
client = httpx.Client()
@app.get("/a")
def a(): ...
@router.post("/b")
def b(): ...
@responses.get("/c")
def c(): ...
@blueprint.get("/f")
def f(): ...
`,
    ],
    [
      'an object created at run time, or a class of the project',
      `=== a.py
${SDK}
from factory import make_app
class Own:
    def get(self, path): ...
own = Own()
table = {}
app = make_app()
@own.get("/d")
def d(): ...
@table.get("/e")
def e(): ...
@app.get("/f")
def f(): ...
def register(service):
    @service.get("/g")
    def g(): ...
for one in [app]:
    @one.get("/h")
    def h(): ...
class Views:
    router = make_app()
    @router.get("/i")
    def i(self): ...
=== factory.py
def make_app(): ...
`,
    ],
    [
      'a module that creates its names on access',
      `=== lazy.py
def __getattr__(name): ...
=== a.py
from lazy import api
${SDK}
@api.get("/a")
def a(): ...
`,
    ],
    [
      'decorators that are not routes, although their names are verbs',
      `=== a.py
from unittest import mock
${SDK}
@mock.patch("os.getcwd")
def test(): ...
class Settings:
    @property
    def get(self): ...
    @get.setter
    def get(self, value): ...
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'the library’s own routers, in a project that does not use toolkit_sdk',
      `=== a.py
app = "app"
@app.get("/a")
def a(): ...
@undefined.post("/b")
def b(): ...
`,
    ],
  ],
};
