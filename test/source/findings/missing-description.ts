import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['description'] },
  fires: [
    [
      'a function and a class without a docstring',
      `=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
    ^ hint: missing-description
    > a has no description.
    > Fix: Write what it does as the first line of its docstring: """Tells ... .""".
@Endpoint(name="c")
class C:
      ^ hint: missing-description
      > C has no description.
      > Fix: Write what it does as the first line of its docstring: """Tells ... .""".
    def run(self): ...
`,
    ],
    [
      'a function with two routes, once, and a docstring that is blank',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/x")
@api.get("/y")
def x(): """ """
    ^ hint: missing-description
    > x has no description.
    > Fix: Write what it does as the first line of its docstring: """Tells ... .""".
@api.get("/z")
async def z():
          ^ hint: missing-description
          > z has no description.
          > Fix: Write what it does as the first line of its docstring: """Tells ... .""".
    # Tells z.
    return "Tells z."
def unserved(): ...
`,
    ],
  ],
  silent: [
    [
      'a docstring, in any form that is one',
      `=== a.py
${SDK}
@Endpoint(name="a")
def a():
    """Says."""
@Endpoint(name="b")
def b(): "Says."
@Endpoint(name="c")
def c():
    r'''
    Says more.
    '''
@Endpoint(name="d")
def d():
    """Says, """ "in two parts."
`,
    ],
    [
      'a class whose docstring or whose method’s is there',
      `=== a.py
${SDK}
@Endpoint(name="d")
class D:
    """Says."""
    def run(self): ...
@Endpoint(name="e")
class E:
    def run(self):
        """Says."""
    def _help(self): ...
`,
    ],
    [
      'functions that no endpoint serves',
      `=== a.py
import functools
${SDK}
def plain(): ...
@functools.lru_cache
def cached(): ...
class Model:
    def predict(self): ...
@Endpoint(name="a")
def a():
    """Says."""
    def inner(): ...
`,
    ],
    [
      'a hint that a comment silences',
      `=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...  # toolkit: ignore[missing-description]
`,
    ],
  ],
};
