import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['workers'] },
  fires: [
    [
      'a pair in combined settings',
      `=== a.py
${SDK}
BASE = {"idle_timeout": 5}
@Endpoint(name="a", **dict(BASE, workers=(3, 1)))
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-workers
                      > workers has a minimum (3) that is greater than its maximum (1).
                      > Fix: Write workers=(1, 3).
def a(): ...
@Endpoint(name="b", **BASE | {"workers": (-1, 2 - 3)})
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-workers
                      > workers cannot be below 0.
                      > Fix: For example: workers=(0, 3).
def b(): ...
@Endpoint(name="c", workers=(1 + 1, 1))
                            ^^^^^^^^^^ error: invalid-workers
                            > workers has a minimum (2) that is greater than its maximum (1).
                            > Fix: Write workers=(1, 2).
def c(): ...
`,
    ],
    [
      'values that are not a pair of whole numbers',
      `=== a.py
${SDK}
@Endpoint(workers=(1, 2, 3))
                  ^^^^^^^^^ error: invalid-workers
                  > workers must be the maximum, or a pair of whole numbers (min, max).
                  > Fix: For example: workers=(0, 3).
def a(): ...
@Endpoint(workers="2")
                  ^^^ error: invalid-workers
                  > workers must be the maximum, or a pair of whole numbers (min, max).
                  > Fix: For example: workers=(0, 3).
def b(): ...
@Endpoint(workers=True)
                  ^^^^ error: invalid-workers
                  > workers must be the maximum, or a pair of whole numbers (min, max).
                  > Fix: For example: workers=(0, 3).
def c(): ...
@Endpoint(workers=(0, 1.5))
                  ^^^^^^^^ error: invalid-workers
                  > workers must be the maximum, or a pair of whole numbers (min, max).
                  > Fix: For example: workers=(0, 3).
def d(): ...
@Endpoint(workers=None)
                  ^^^^ error: invalid-workers
                  > workers must be the maximum, or a pair of whole numbers (min, max).
                  > Fix: For example: workers=(0, 3).
def e(): ...
`,
    ],
    [
      'a minimum above the maximum, and numbers below 0',
      `=== a.py
${SDK}
@Endpoint(workers=(3, 1))
                  ^^^^^^ error: invalid-workers
                  > workers has a minimum (3) that is greater than its maximum (1).
                  > Fix: Write workers=(1, 3).
def a(): ...
@Endpoint(workers=-1)
                  ^^ error: invalid-workers
                  > workers cannot be below 0.
                  > Fix: For example: workers=(0, 3).
def b(): ...
`,
    ],
    [
      'a pair over several lines, a constant, and pyproject.toml',
      `=== a.py
${SDK}
SCALE = (5, 2)
@Endpoint(
    name="a",
    workers=(
            ^ error: invalid-workers
            > workers has a minimum (3) that is greater than its maximum (1).
            > Fix: Write workers=(1, 3).
        3,
        1,
    ),
    ^ …
)
def a(): ...
@Endpoint(workers=SCALE)
                  ^^^^^ error: invalid-workers
                  > workers has a minimum (5) that is greater than its maximum (2).
                  > Fix: Write workers=(2, 5).
def b(): ...
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "c"
command = ["./serve"]
workers = [3, 1]
          ^^^^^^ error: invalid-workers
          > workers has a minimum (3) that is greater than its maximum (1).
          > Fix: Write workers = [1, 3].
`,
    ],
  ],
  silent: [
    [
      'a pair, a list, a number, and a paused endpoint',
      `=== a.py
${SDK}
LARGEST = 1 + 1
@Endpoint(workers=(0, 0))
def a(): ...
@Endpoint(workers=[1, LARGEST])
def b(): ...
@Endpoint(workers=2)
def c(): ...
@Endpoint(workers=0)
def d(): ...
`,
    ],
    [
      'a number known only at run time',
      `=== a.py
import os
${SDK}
@Endpoint(workers=(0, int(os.environ["MOST"])))
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
`,
    ],
    [
      'workers of other packages',
      `=== a.py
import concurrent.futures
import uvicorn
       ^^^^^^^ warning: top-level-import
${SDK}
@Endpoint(workers=(0, 2))
def a(): ...
POOL = concurrent.futures.ThreadPoolExecutor(max_workers=-1)
if __name__ == "__main__":
    uvicorn.run("a:app", workers=-1)
`,
    ],
  ],
};
