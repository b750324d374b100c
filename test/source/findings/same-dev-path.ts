import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'a route, and a route of a file in a folder of the same name',
      `=== shop.py
${SDK}
api = Endpoint(name="shop")
@api.get("/prices/{item}")
         ^^^^^^^^^^^^^^^^ hint: same-dev-path [route]
         > Under toolkit dev, GET /shop/prices/{item} is declared both here and in shop/prices.py, so dev serves neither.
         > Fix: Give one of them another path, or rename a file.
         > [deep] This has the same path under toolkit dev.
def price(item): ...
=== shop/prices.py
${SDK}
api = Endpoint(name="prices")
@api.get("/{name}")
         ^^^^^^^^^ hint: same-dev-path [deep]
         > Under toolkit dev, GET /shop/prices/{name} is declared both here and in shop.py, so dev serves neither.
         > Fix: Give one of them another path, or rename a file.
         > [route] This has the same path under toolkit dev.
def one(name): ...
`,
    ],
    [
      'a queue-based function, and one of several in a file',
      `=== a.py
${SDK}
@Endpoint(name="first")
def b(): ...
    ^ hint: same-dev-path [several]
    > Under toolkit dev, POST /a/b/runsync is declared both here and in a/b.py, so dev serves neither.
    > Fix: Give one of them another path, or rename a file.
    > [alone] This has the same path under toolkit dev.
@Endpoint(name="second")
def c(): ...
=== a/b.py
${SDK}
@Endpoint(name="third")
def d(): ...
    ^ hint: same-dev-path [alone]
    > Under toolkit dev, POST /a/b/runsync is declared both here and in a.py, so dev serves neither.
    > Fix: Give one of them another path, or rename a file.
    > [several] This has the same path under toolkit dev.
`,
    ],
    [
      'a command that serves HTTP itself, and a file of the same name',
      `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "server"
       ^^^^^^^^ hint: same-dev-path [command]
       > Under toolkit dev, ANY /server is declared both here and in server.py, so dev serves neither.
       > Fix: Give one of them another path, or rename a file.
       > [function] This has the same path under toolkit dev.
command = ["./server"]
kind = "load-balanced"
=== server.py
${SDK}
@Endpoint(name="one")
def one(): ...
    ^^^ hint: same-dev-path [function]
    > Under toolkit dev, POST /server/runsync is declared both here and in pyproject.toml, so dev serves neither.
    > Fix: Give one of them another path, or rename a file.
    > [command] This has the same path under toolkit dev.
`,
    ],
  ],
  silent: [
    [
      'routes of one file, which dev serves by instance',
      `=== a.py
${SDK}
first = Endpoint(name="first")
second = Endpoint(name="second")
@first.get("/x")
def a(): ...
@second.get("/x")
def b(): ...
`,
    ],
    [
      'other methods, and other paths of a folder with the name of a file',
      `=== a.py
${SDK}
api = Endpoint(name="a")
@api.get("/b/x")
def a(): ...
@api.post("/b/y")
def b(): ...
=== a/b.py
${SDK}
api = Endpoint(name="b")
@api.post("/x")
def a(): ...
@api.post("/y/z")
def b(): ...
`,
    ],
    [
      'a command with a name that no file has',
      `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "server"
command = ["./server"]
kind = "load-balanced"
=== servers.py
${SDK}
@Endpoint(name="one")
def server(): ...
`,
    ],
  ],
};
