import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'at the values, across files',
      `=== a.py
${SDK}
api = Endpoint(name="one", workers=(0, 1))
                                   ^^^^^^ error: conflicting-settings [in_a]
                                   > The endpoint "one" is declared 2 times, with different values of workers.
                                   > Fix: Use the same workers in each declaration, or give them different names.
                                   > [in_b] "one" is also declared here.
@api.get("/a")
def a(): ...
=== b.py
${SDK}
api = Endpoint(name="one", workers=(0, 2))
                                   ^^^^^^ error: conflicting-settings [in_b]
                                   > The endpoint "one" is declared 2 times, with different values of workers.
                                   > Fix: Use the same workers in each declaration, or give them different names.
                                   > [in_a] "one" is also declared here.
@api.get("/b")
def b(): ...
`,
    ],
    [
      'at the name where the default differs from a given value',
      `=== a.py
${SDK}
first = Endpoint(name="one", cpu="cpu3c-1-2", idle_timeout=5)
                                                           ^ error: conflicting-settings [given]
                                                           > The endpoint "one" is declared 2 times, with different values of idle_timeout.
                                                           > Fix: Use the same idle_timeout in each declaration, or give them different names.
                                                           > [default] "one" is also declared here.
second = Endpoint(name="one", cpu="cpu3c-1-2")
                       ^^^^^ error: conflicting-settings [default]
                       > The endpoint "one" is declared 2 times, with different values of idle_timeout.
                       > Fix: Use the same idle_timeout in each declaration, or give them different names.
                       > [given] "one" is also declared here.
@first.get("/a")
def a(): ...
@second.get("/b")
def b(): ...
`,
    ],
  ],
  silent: [
    [
      'different dependencies, which are joined',
      `=== a.py
${SDK}
api = Endpoint(name="one", dependencies=["pillow"])
@api.get("/a")
def a(): ...
=== b.py
${SDK}
api = Endpoint(name="one", dependencies=["numpy>=2"])
                                         ^^^^^^^^^^ hint: provided-by-image
@api.get("/b")
def b(): ...
`,
    ],
    [
      'a value that is equal to the default',
      `=== a.py
${SDK}
api = Endpoint(name="one", workers=(0, 3), gpu=GpuGroup.ANY)
@api.get("/a")
def a(): ...
=== b.py
${SDK}
api = Endpoint(name="one", workers=3)
@api.get("/b")
def b(): ...
`,
    ],
    [
      'a value that is known only at run time',
      `=== a.py
import os
${SDK}
api = Endpoint(name="one", workers=(0, int(os.environ["MOST"])))
                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
@api.get("/a")
def a(): ...
=== b.py
${SDK}
api = Endpoint(name="one", workers=(0, 2))
@api.get("/b")
def b(): ...
`,
    ],
    [
      'branches that exclude each other, whose values are open',
      `=== a.py
import os
${SDK}
if os.environ.get("BIG"):
    api = Endpoint(name="one", workers=(0, 5))
                                       ^^^^^^ hint: dynamic-value
else:
    api = Endpoint(name="one", workers=(0, 1))
                                       ^^^^^^ hint: dynamic-value
@api.get("/a")
def a(): ...
`,
    ],
  ],
};
