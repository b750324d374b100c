import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['name'] },
  fires: [
    [
      'a name and a function that begin with the prefix of dev’s endpoints',
      `=== a.py
${SDK}
@Endpoint(name="live-one")
               ^^^^^^^^^^ error: reserved-name
               > "live-one" begins with "live-", which is reserved for the endpoints of toolkit dev.
               > Fix: Choose a name that does not begin with "live-".
def a(): ...
api = Endpoint("live-" + "two")
               ^^^^^^^^^^^^^^^ error: reserved-name
               > "live-two" begins with "live-", which is reserved for the endpoints of toolkit dev.
               > Fix: Choose a name that does not begin with "live-".
@api.get("/b")
def b(): ...
`,
    ],
    [
      'in pyproject.toml',
      `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "live-one"
       ^^^^^^^^^^ error: reserved-name
       > "live-one" begins with "live-", which is reserved for the endpoints of toolkit dev.
       > Fix: Choose a name that does not begin with "live-".
command = ["./serve"]
`,
    ],
  ],
  silent: [
    [
      'the prefix without the dash, and not at the start',
      `=== a.py
${SDK}
@Endpoint(name="live")
def a(): ...
@Endpoint(name="lively-one")
def b(): ...
@Endpoint(name="not-live-one")
def c(): ...
@Endpoint(name="Live-one")
def d(): ...
`,
    ],
    [
      'a function with such a name, which has an underscore',
      `=== a.py
${SDK}
@Endpoint()
def live_one(): ...
`,
    ],
    [
      'a route and a variable’s value',
      `=== a.py
${SDK}
api = Endpoint(name="api", env={"STAGE": "live-one"})
@api.get("/live-one")
def live(): ...
`,
    ],
  ],
};
