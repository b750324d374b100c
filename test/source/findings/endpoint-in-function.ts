import { type FindingFixtures, SDK } from './fixtures.ts';

const MOVE = 'Fix: Move the declaration to the top level of the module.';
const inside = (what: string, name: string) =>
  `> This ${what} is inside the function ${name}, but only declarations at the top level of a module are deployed.`;

export const fixtures: FindingFixtures = {
  fires: [
    [
      'in a test, a fixture and a method, without other findings',
      `=== test_a.py
import pytest
${SDK}
@pytest.fixture
def api():
    return Endpoint(name="live-fixture", workers=(0, 900), nonsense=1)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
           ${inside('endpoint', 'api')}
           > ${MOVE}
def test_echo(api):
    @Endpoint(name="echo", workers=(0, 900))
     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
     ${inside('endpoint', 'test_echo')}
     > ${MOVE}
    def echo(text): return text
    other = Endpoint()
            ^^^^^^^^^^ warning: endpoint-in-function
            ${inside('endpoint', 'test_echo')}
            > ${MOVE}
    @other.get("no-slash")
    def route(): ...
    other.post("/x")(route)
    assert echo("a") == "a"
class TestModel:
    def test_nothing(self):
        import os
    def test_returned(self):
        return Endpoint()
               ^^^^^^^^^^ warning: endpoint-in-function
               ${inside('endpoint', 'TestModel.test_returned')}
               > ${MOVE}
    def test_model(self):
        @Endpoint(name="echo")
         ^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
         ${inside('endpoint', 'TestModel.test_model')}
         > ${MOVE}
        class Model:
            def one(self): ...
            def two(self): ...
`,
    ],
    [
      'routes that a function adds to an endpoint of the module',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a")
def a(): ...
def register():
    @api.get("/late")
    ^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
    ${inside('route', 'register')}
    > Fix: Move the function to the top level of the module.
    def late(): ...
    api.post("/b")(a)
    ^^^^^^^^^^^^^^ warning: endpoint-in-function
    ${inside('route', 'register')}
    > Fix: Write @api.post(...) above the function.
`,
    ],
    [
      'the return value of a function that no module keeps',
      `=== a.py
${SDK}
def make(name):
    api = Endpoint(name=name)
          ^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
          ${inside('endpoint', 'make')}
          > ${MOVE}
    return api
def use():
    api = make("a")
    return api
if __name__ == "__main__":
    api = make("main")
later = lambda: Endpoint(name="later")
                ^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
                ${inside('endpoint', '<lambda>')}
                > ${MOVE}
`,
    ],
  ],
  silent: [
    [
      'a comment that silences it',
      `=== test_a.py
${SDK}
def test_it():
    @Endpoint(name="a")  # toolkit: ignore[endpoint-in-function]
    def a(): ...
`,
    ],
    [
      'declarations in classes and blocks of the module',
      `=== a.py
${SDK}
class Services:
    api = Endpoint(name="api")
    if True:
        @Endpoint(name="model")
        class Model:
            def run(self): ...
@Services.api.get("/a")
def a():
    def inner(): ...
    return inner
`,
    ],
    [
      'an endpoint named in a condition of the module',
      `=== a.py
${SDK}
if (api := Endpoint(name="api")):
    @api.get("/a")
    def a(): ...
`,
    ],
    [
      'other objects of the same name',
      `=== a.py
from starlette.routing import Endpoint
def make():
    api = Endpoint(name="a")
    @api.get("/x")
    def inner(): ...
    return api
`,
    ],
  ],
};
