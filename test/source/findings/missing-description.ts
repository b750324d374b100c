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
    > Fix: Describe what it does in the first line of its docstring, for example """Resize an image.""".
@Endpoint(name="c")
class C:
      ^ hint: missing-description
      > C has no description.
      > Fix: Describe what it does in the first line of its docstring, for example """Resize an image.""".
    def run(self): ...
`,
    ],
    [
      'a function with two routes, once, and a blank docstring',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/x")
@api.get("/y")
def x(): """ """
    ^ hint: missing-description
    > x has no description.
    > Fix: Describe what it does in the first line of its docstring, for example """Resize an image.""".
@api.get("/z")
async def z():
          ^ hint: missing-description
          > z has no description.
          > Fix: Describe what it does in the first line of its docstring, for example """Resize an image.""".
    # Tells z.
    return "Tells z."
def unserved(): ...
`,
    ],
  ],
  silent: [
    [
      'docstrings of every form',
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
      'a class with a docstring of its own or of its method',
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
      'a hint silenced by a comment',
      `=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...  # toolkit: ignore[missing-description]
`,
    ],
  ],
};
