import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['workers'] },
  fires: [
    [
      'at each endpoint that counts, with defaults, each name once',
      `=== pyproject.toml
[tool.toolkit]
quota = 5
=== a.py
${SDK}
@Endpoint(workers=(0, 3))
                  ^^^^^^ error: worker-quota
                  > The maximum workers of all endpoints add up to 6, over the quota of 5 (a 3, b 3); this one accounts for 3.
                  > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def a(): ...
@Endpoint()
 ^^^^^^^^ error: worker-quota
 > The maximum workers of all endpoints add up to 6, over the quota of 5 (a 3, b 3); this one accounts for 3, the default.
 > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def b(): ...
@Endpoint(workers=0)
def c(): ...
`,
    ],
    [
      'only the largest of many endpoints are named',
      `=== a.py
${SDK}
@Endpoint(name="e2", workers=2)
                             ^ error: worker-quota
                             > The maximum workers of all endpoints add up to 35, over the quota of 30 (e8 8, e7 7, e6 6, e5 5, e4 4, e3 3, 1 more); this one accounts for 2.
                             > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def e2(): ...
@Endpoint(name="e3", workers=3)
                             ^ error: worker-quota
                             > The maximum workers of all endpoints add up to 35, over the quota of 30 (e8 8, e7 7, e6 6, e5 5, e4 4, e3 3, 1 more); this one accounts for 3.
                             > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def e3(): ...
@Endpoint(name="e4", workers=4)
                             ^ error: worker-quota
                             > The maximum workers of all endpoints add up to 35, over the quota of 30 (e8 8, e7 7, e6 6, e5 5, e4 4, e3 3, 1 more); this one accounts for 4.
                             > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def e4(): ...
@Endpoint(name="e5", workers=5)
                             ^ error: worker-quota
                             > The maximum workers of all endpoints add up to 35, over the quota of 30 (e8 8, e7 7, e6 6, e5 5, e4 4, e3 3, 1 more); this one accounts for 5.
                             > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def e5(): ...
@Endpoint(name="e6", workers=6)
                             ^ error: worker-quota
                             > The maximum workers of all endpoints add up to 35, over the quota of 30 (e8 8, e7 7, e6 6, e5 5, e4 4, e3 3, 1 more); this one accounts for 6.
                             > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def e6(): ...
=== b.py
${SDK}
@Endpoint(name="e7", workers=7)
                             ^ error: worker-quota
                             > The maximum workers of all endpoints add up to 35, over the quota of 30 (e8 8, e7 7, e6 6, e5 5, e4 4, e3 3, 1 more); this one accounts for 7.
                             > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def e7(): ...
@Endpoint(name="e8", workers=8)
                             ^ error: worker-quota
                             > The maximum workers of all endpoints add up to 35, over the quota of 30 (e8 8, e7 7, e6 6, e5 5, e4 4, e3 3, 1 more); this one accounts for 8.
                             > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def e8(): ...
`,
    ],
    [
      'a table of pyproject.toml, which counts as well',
      `=== pyproject.toml
[tool.toolkit]
quota = 2
[[tool.toolkit.endpoints]]
name = "b"
command = ["./serve"]
workers = [0, 2]
          ^^^^^^ error: worker-quota
          > The maximum workers of all endpoints add up to 3, over the quota of 2 (b 2, a 1); this one accounts for 2.
          > Fix: Reduce workers, for example to [0, 1], or remove unused endpoints.
=== a.py
${SDK}
@Endpoint(name="a", workers=1)
                            ^ error: worker-quota
                            > The maximum workers of all endpoints add up to 3, over the quota of 2 (b 2, a 1); this one accounts for 1.
                            > Fix: Remove unused endpoints, or reduce the workers of those that have more than one.
def a(): ...
`,
    ],
    [
      'endpoints whose names are missing, invalid or dynamic, each counted separately',
      `=== a.py
import os
${SDK}
api = Endpoint(workers=20)
      ^^^^^^^^ error: missing-name
                       ^^ error: worker-quota
                       > The maximum workers of all endpoints add up to 54, over the quota of 30 (an endpoint without a name 20, an endpoint with an invalid name 18, an endpoint with a dynamic name 16); this one accounts for 20.
                       > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
@api.get("/a")
def a(): ...
@Endpoint(name=5, workers=18)
               ^ error: invalid-argument
                          ^^ error: worker-quota
                          > The maximum workers of all endpoints add up to 54, over the quota of 30 (an endpoint without a name 20, an endpoint with an invalid name 18, an endpoint with a dynamic name 16); this one accounts for 18.
                          > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def b(): ...
@Endpoint(name=os.environ["C"], workers=16)
               ^^^^^^^^^^^^^^^ hint: dynamic-value
                                        ^^ error: worker-quota
                                        > The maximum workers of all endpoints add up to 54, over the quota of 30 (an endpoint without a name 20, an endpoint with an invalid name 18, an endpoint with a dynamic name 16); this one accounts for 16.
                                        > Fix: Reduce workers, for example to (0, 1), or remove unused endpoints.
def c(): ...
`,
    ],
  ],
  silent: [
    [
      'thirty workers without a quota setting',
      `=== a.py
${SDK}
@Endpoint(workers=(0, 30))
def a(): ...
`,
    ],
    [
      'endpoints in tests and other functions, which are not deployed',
      `=== test_a.py
${SDK}
def test_it():
    @Endpoint(workers=(0, 900))  # toolkit: ignore[endpoint-in-function]
    def a(): ...
    b = Endpoint(name="b", workers=900)
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
`,
    ],
    [
      'a quota setting that is just enough',
      `=== pyproject.toml
[tool.toolkit]
quota = 40
=== a.py
${SDK}
@Endpoint(workers=(40, 40))
def a(): ...
`,
    ],
    [
      'two instances of the same name, of which the larger counts',
      `=== a.py
${SDK}
one = Endpoint(name="api", workers=20)
                                   ^^ error: conflicting-settings
two = Endpoint(name="api", workers=10)
                                   ^^ error: conflicting-settings
@one.get("/a")
def a(): ...
@two.get("/b")
def b(): ...
@Endpoint(name="c", workers=10)
def c(): ...
`,
    ],
    [
      'workers known only at run time, and invalid ones',
      `=== a.py
import os
${SDK}
@Endpoint(workers=(0, int(os.environ["MOST"])))
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
@Endpoint(workers=(40, 31))
                  ^^^^^^^^ error: invalid-workers
def b(): ...
@Endpoint(workers=(0, 30))
def c(): ...
`,
    ],
  ],
};
