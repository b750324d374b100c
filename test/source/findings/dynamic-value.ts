import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'at the value that is known only at run time',
      `=== a.py
import os
${SDK}
@Endpoint(name="a", workers=(0, ord("ab")), env={"A": os.environ["A"], "B": chr(1), "C": os.getenv("C")})
                            ^^^^^^^^^^^^^^ hint: dynamic-value
                            > Cannot determine the value of workers without running the code, so this endpoint cannot be built.
                            > Fix: Use a literal, or a module-level constant that is assigned once.
                                                                            ^^^^^^ hint: dynamic-value
                                                                            > Cannot determine the value of env without running the code, so this endpoint cannot be built.
                                                                            > Fix: Use a string, os.environ["NAME"] or os.getenv("NAME"). Variables are read when you deploy.
def a(): ...
@Endpoint(name=os.environ["NAME"])
               ^^^^^^^^^^^^^^^^^^ hint: dynamic-value
               > Cannot determine the value of name without running the code, so this endpoint cannot be built.
               > Fix: Use a literal, or a module-level constant that is assigned once.
def b(): ...
`,
    ],
    [
      'settings, and a route’s path',
      `=== a.py
import os
${SDK}
SETTINGS = {"name": "x", "workers": abs(1)}
@Endpoint(**SETTINGS)
            ^^^^^^^^ hint: dynamic-value
            > Cannot determine the value of workers without running the code, so this endpoint cannot be built.
            > Fix: Use a literal, or a module-level constant that is assigned once.
def a(): ...
api = Endpoint("api", **vars(SETTINGS))
                        ^^^^^^^^^^^^^^ hint: dynamic-value
                        > Cannot determine these arguments without running the code, so this endpoint cannot be built.
                        > Fix: Use a literal, or a module-level constant that is assigned once.
@api.get(os.environ["ROUTE"])
         ^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
         > Cannot determine the path without running the code, so this endpoint cannot be built.
         > Fix: Use a literal, or a module-level constant that is assigned once.
def b(): ...
`,
    ],
    [
      'a name that is assigned twice, or in a loop',
      `=== a.py
import sys
${SDK}
WORKERS = 1
if sys.platform == "linux":
    WORKERS = 2
@Endpoint(name="a", workers=WORKERS)
                            ^^^^^^^ hint: dynamic-value
                            > Cannot determine the value of workers without running the code, so this endpoint cannot be built.
                            > Fix: Use a literal, or a module-level constant that is assigned once.
def a(): ...
for IMAGE in ("a", "b"): pass
@Endpoint(
    name="b",
    dependencies=[
                 ^ hint: dynamic-value
                 > Cannot determine the value of dependencies without running the code, so this endpoint cannot be built.
                 > Fix: Use a literal, or a module-level constant that is assigned once.
        IMAGE,
    ],
    ^ …
)
def b(): ...
`,
    ],
  ],
  silent: [
    [
      'constants of the module and of others',
      `=== settings/__init__.py
from .sizes import MOST as LARGEST
=== settings/sizes.py
MOST: int = 2
=== a.py
import settings
from settings import LARGEST
${SDK}
NAME = f"a-{LARGEST}"
DEPENDENCIES = ["idna"]
@Endpoint(name=NAME, workers=(0, settings.LARGEST), dependencies=[*DEPENDENCIES, "certifi"])
def a(): ...
@Endpoint(**{"name": "b", "env": {"SIZE": str}})  # toolkit: ignore[dynamic-value]
def b(): ...
`,
    ],
    [
      'values that are filled in at deploy time',
      `=== a.py
import os
from os import environ, getenv as read
${SDK}
@Endpoint(name="a", env={"A": os.environ["A"], "B": environ.get("B", "x"), "C": read("C")})
def a(): ...
`,
    ],
    [
      'dynamic values inside the body, in defaults and in other decorators',
      `=== a.py
import functools, os
${SDK}
@Endpoint(name="a")
@functools.wraps(str)
def a(home=os.environ.get("HOME")):
    return os.cpu_count()
`,
    ],
    [
      'an instance created in a function, which is not deployed',
      `=== a.py
${SDK}
def make(name):
    return Endpoint(name=name)
           ^^^^^^^^^^^^^^^^^^^ warning: endpoint-in-function
`,
    ],
  ],
};
